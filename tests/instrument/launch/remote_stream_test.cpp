// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/launch/remote_stream.h"

#include "instrument/launch/remote_devices.h"
#include "instrument/stream/line_reader.h"
#include "tests/support/catch.h"

using namespace dormer;
using namespace dormer::instrument::launch;

namespace {

struct Read {
    std::vector<std::pair<std::string, std::uint32_t>> notes; ///< code, process
    std::optional<JoinedEnd> end;
    std::optional<JoinedReader::Begin> begin;
    std::size_t bad = 0;
};

Read readAll(const std::string& text) {
    Read read;
    JoinedReader reader;
    instrument::stream::LineReader lines;
    lines.feed(text, [&](std::string_view line) {
        JoinedReader::Part part = reader.take(line);
        if (auto* begin = std::get_if<JoinedReader::Begin>(&part)) read.begin = *begin;
        if (auto* end = std::get_if<JoinedEnd>(&part)) read.end = *end;
        if (auto* record = std::get_if<JoinedReader::Line>(&part))
            read.notes.emplace_back(std::get<session::Note>(record->record).code, record->process);
    });
    read.bad = reader.badLines();
    return read;
}

const std::string kStart = R"({"record":"joined_start","schema":1,"tool_version":"0.1.0"})"
                           "\n";

} // namespace

TEST_CASE("records of several processes go over one stream", "[remote]") {
    JoinedWriter writer;
    std::string text = JoinedWriter::begin();
    text += writer.record(session::Note{0, "first", "x"}, 0);
    text += writer.record(session::Note{0, "second", "x"}, 1);
    text += writer.record(session::Note{0, "third", "x"}, 1);
    text += writer.record(session::Note{0, "fourth", "x"}, 0);
    TargetEnd end;
    end.exitCode = 7;
    end.emulated = true;
    text += JoinedWriter::end(end);
    const Read read = readAll(text);
    REQUIRE(read.begin.has_value());
    CHECK(read.begin->schema == kJoinedSchema);
    CHECK(read.notes == std::vector<std::pair<std::string, std::uint32_t>>{
                            {"first", 0}, {"second", 1}, {"third", 1}, {"fourth", 0}});
    REQUIRE(read.end.has_value());
    REQUIRE(read.end->has_value());
    CHECK((*read.end)->exitCode == 7);
    CHECK_FALSE((*read.end)->signal);
    CHECK((*read.end)->emulated);
    CHECK_FALSE((*read.end)->stopped);
    CHECK(read.bad == 0);
}

TEST_CASE("the stream is what the documentation says", "[remote]") {
    const Read read =
        readAll("Welcome to the cluster\n" + kStart + "#0\n" + R"({"record":"note","code":"a","text":"t"})" +
                "\n" + R"({"record":"joined_end","signal":9,"stopped":true,"bad_lines":2})" + "\n");
    CHECK(read.notes.size() == 1);
    REQUIRE(read.end.has_value());
    REQUIRE(read.end->has_value());
    CHECK((*read.end)->signal == 9);
    CHECK((*read.end)->stopped);
    CHECK((*read.end)->badLines == 2);
    const Read failed = readAll(kStart + R"({"record":"joined_end","error":"no GPU","error_kind":3})" + "\n");
    REQUIRE(failed.end.has_value());
    REQUIRE_FALSE(failed.end->has_value());
    CHECK(failed.end->error().kind == ErrorKind::Device);
    CHECK(failed.end->error().message == "no GPU");
}

TEST_CASE("a broken or hostile stream makes no processes and no crash", "[remote]") {
    const Read read = readAll(kStart + "#4000000000\n#-1\n#\n#1x\nnonsense\n{}\n[1]\n" +
                              R"({"record":"joined_end","error":5,"exit_code":"x"})" + "\n");
    CHECK(read.notes.empty());
    CHECK(read.bad == 7);
    REQUIRE(read.end.has_value()); // of which nothing is known
    REQUIRE(read.end->has_value());
    CHECK_FALSE((*read.end)->exitCode);
    const Read silent = readAll("nothing of ours\n");
    CHECK_FALSE(silent.begin.has_value());
    CHECK(silent.bad == 0);
}

TEST_CASE("ssh:HOST names a host and a device there", "[remote]") {
    CHECK(isRemote("ssh:box"));
    CHECK_FALSE(isRemote("gpu"));
    const auto plain = parseRemoteChoice("ssh:me@box", "");
    REQUIRE(plain);
    CHECK(plain->host == RemoteHost{"me@box", "dormer"});
    CHECK(plain->device == "auto");
    const auto full = parseRemoteChoice("ssh:box/emulator:A100", "~/opt/dormer");
    REQUIRE(full);
    CHECK(full->host == RemoteHost{"box", "~/opt/dormer"});
    CHECK(full->device == "emulator:A100");
    for (const char* wrong : {"ssh:", "ssh:-oProxyCommand=x", "ssh:two words", "ssh:/gpu"}) {
        const auto choice = parseRemoteChoice(wrong, "");
        REQUIRE_FALSE(choice);
        CHECK(choice.error().kind == ErrorKind::Usage);
    }
}

TEST_CASE("how ssh failed becomes what to do about it", "[remote]") {
    const RemoteHost host{"box", "dormer"};
    const auto text = [&](int code, const char* said) {
        const Error error = remoteProblem(host, {code, {}}, said);
        CHECK(error.kind == ErrorKind::Device);
        return error.message;
    };
    CHECK(text(255, "ssh: Could not resolve hostname box: Name or service not known\r\n") ==
          "box: ssh knows no such host; check the name, or add it to ~/.ssh/config");
    CHECK(text(255, "me@box: Permission denied (publickey).\r\n").find("ssh-copy-id box") !=
          std::string::npos);
    CHECK(text(255, "ssh: connect to host box port 22: Connection refused\r\n") ==
          "box can't be reached: ssh: connect to host box port 22: Connection refused");
    CHECK(text(127, "sh: 1: dormer: not found\n").find("there is no 'dormer'") != std::string::npos);
    CHECK(text(139, "").find("exit code 139") != std::string::npos);
}

TEST_CASE("devices of another machine are its GPUs, or its emulator", "[remote]") {
    const RemoteHost host{"box", "dormer"};
    const auto both = devicesFrom(host, R"json(motd
{"version":"0.1.0","devices":[{"on":"gpu:0","name":"NVIDIA H100","id":0,"chip":null},
 {"on":"gpu:1","name":"NVIDIA H200","id":1,"chip":null},
 {"on":"emulator:H100","name":"NVIDIA H100 (emulated)","id":0,"chip":"H100"}],
 "problem":null,"remedy":null})json");
    REQUIRE(both);
    REQUIRE(both->size() == 2);
    CHECK((*both)[1].name == "NVIDIA H200");
    CHECK((*both)[1].onName() == "gpu:1");
    CHECK((*both)[1].remote == host);
    const auto emulated = devicesFrom(
        host,
        R"({"devices":[{"name":"E","id":0,"chip":"H100"},{"name":"F","chip":"A100"}],"problem":"no driver"})");
    REQUIRE(emulated);
    REQUIRE(emulated->size() == 1);
    CHECK(emulated->front().onName() == "emulator:H100");
    CHECK(emulated->front().whyEmulated == "no driver");
    for (const char* wrong :
         {"", "hello", "{}", R"({"devices":[]})", R"({"devices":[1,{"id":"x"}]})", "{\"devices\":"})
        CHECK_FALSE(devicesFrom(host, wrong));
}
