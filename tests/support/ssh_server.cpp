// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/ssh_server.h"

#include <arpa/inet.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <thread>
#include <vector>

namespace dormer::tests {

namespace fs = std::filesystem;

namespace {

const char* const kServer = "/usr/sbin/sshd";
const char* const kClient = "/usr/bin/ssh";
const char* const kKeygen = "/usr/bin/ssh-keygen";

void write(const fs::path& path, const std::string& text, bool executable = false) {
    std::ofstream(path) << text;
    fs::permissions(path, executable ? fs::perms::owner_all : fs::perms::owner_read | fs::perms::owner_write);
}

std::string read(const fs::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::string quoted(const std::string& text) {
    std::string out = "'";
    for (const char c : text)
        out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

sockaddr_in loopback(int port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

int freePort() {
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address = loopback(0);
    socklen_t size = sizeof address;
    const bool bound = bind(fd, reinterpret_cast<sockaddr*>(&address), size) == 0 &&
                       getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) == 0;
    close(fd);
    if (!bound) throw std::runtime_error("no free port");
    return ntohs(address.sin_port);
}

bool listens(int port) {
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const sockaddr_in address = loopback(port);
    const bool there = connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    close(fd);
    return there;
}

std::vector<pid_t> childrenOf(pid_t parent) {
    std::vector<pid_t> children;
    std::ifstream file("/proc/" + std::to_string(parent) + "/task/" + std::to_string(parent) + "/children");
    for (pid_t child = 0; file >> child;)
        children.push_back(child);
    return children;
}

} // namespace

bool SshServer::available() {
    return fs::exists(kServer) && fs::exists(kClient) && fs::exists(kKeygen);
}

SshServer::SshServer() : m_path(std::getenv("PATH")) {
    fs::create_directories(folder());
    fs::create_directory(m_folder / "bin");
    makeKeys();
    start();
    const std::string base = m_folder.path().string();
    const auto host = [&](const std::string& name, const std::string& key, const std::string& known,
                          int port) {
        return "Host " + name + "\n  HostName 127.0.0.1\n  Port " + std::to_string(port) +
               "\n  IdentityFile " + base + "/" + key + "\n  UserKnownHostsFile " + base + "/" + known + "\n";
    };
    std::string server = read(m_folder / "host.pub");
    write(m_folder / "known", "[127.0.0.1]:" + std::to_string(m_port) + " " + server);
    write(m_folder / "client",
          host("there", "user", "known", m_port) + host("stranger", "user", "none", m_port) +
              host("locked", "other", "known", m_port) + host("asleep", "user", "known", freePort()) +
              "Host *\n  IdentitiesOnly yes\n  IdentityAgent none\n"
              "  StrictHostKeyChecking yes\n  GlobalKnownHostsFile /dev/null\n");
    write(m_folder / "bin" / "ssh",
          "#!/bin/sh\nexec " + std::string(kClient) + " -F " + quoted(base + "/client") + " \"$@\"\n", true);
    setenv("PATH", (base + "/bin:" + m_path).c_str(), 1);
    unsetenv("SSH_ASKPASS");
}

SshServer::~SshServer() {
    setenv("PATH", m_path.c_str(), 1);
    cutConnections();
    kill(m_pid, SIGTERM);
    waitpid(m_pid, nullptr, 0);
}

void SshServer::makeKeys() {
    for (const char* name : {"host", "user", "other"}) {
        const std::string command = std::string(kKeygen) + " -q -t ed25519 -N '' -f " +
                                    quoted((m_folder / name).string()) + " </dev/null >/dev/null 2>&1";
        if (std::system(command.c_str()) != 0) throw std::runtime_error("ssh-keygen failed");
    }
    write(m_folder / "authorized", read(m_folder / "user.pub"));
}

void SshServer::start() {
    if (geteuid() == 0) fs::create_directories("/run/sshd"); // where a server of root keeps what it separates
    const std::string base = m_folder.path().string();
    for (int attempt = 0; attempt < 5; ++attempt) { // somebody else may take the port in between
        m_port = freePort();
        write(m_folder / "server", "ListenAddress 127.0.0.1\nPort " + std::to_string(m_port) + "\nHostKey " +
                                       base + "/host\nAuthorizedKeysFile " + base +
                                       "/authorized\nPidFile none\nStrictModes no\nUsePAM no\n"
                                       "PasswordAuthentication no\nKbdInteractiveAuthentication no\n"
                                       "PermitRootLogin yes\nPrintMotd no\n");
        const std::string configuration = base + "/server", log = base + "/log";
        m_pid = fork();
        if (m_pid == 0) {
            prctl(PR_SET_PDEATHSIG, SIGTERM);
            execl(kServer, kServer, "-D", "-f", configuration.c_str(), "-E", log.c_str(), nullptr);
            _exit(127);
        }
        for (int wait = 0; wait < 500; ++wait) {
            if (listens(m_port)) return;
            if (waitpid(m_pid, nullptr, WNOHANG) == m_pid) break;
            std::this_thread::sleep_for(std::chrono::milliseconds{20});
        }
    }
    throw std::runtime_error("sshd did not start: " + read(m_folder / "log"));
}

int SshServer::connections() const {
    return static_cast<int>(childrenOf(m_pid).size());
}

void SshServer::cutConnections() const {
    // The server's own processes below the listening one; what they started must notice by itself.
    for (const pid_t connection : childrenOf(m_pid)) {
        for (const pid_t below : childrenOf(connection))
            if (read("/proc/" + std::to_string(below) + "/comm").starts_with("sshd")) kill(below, SIGKILL);
        kill(connection, SIGKILL);
    }
}

std::string SshServer::dormer(const std::map<std::string, std::string>& environment) const {
    std::string script = "#!/bin/sh\n";
    for (const auto& [name, value] : environment)
        script += "export " + name + "=" + quoted(value) + "\n";
    const fs::path path = folder() / "dormer";
    write(path, script + "exec " + quoted(DORMER_BIN_DIR "/dormer") + " \"$@\"\n", true);
    return path.string();
}

} // namespace dormer::tests
