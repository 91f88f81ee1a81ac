// SPDX-License-Identifier: GPL-3.0-or-later
// Connections, and the messages on them.
#include "collect/libc/Wrapper.h"

#include <algorithm>
#include <sys/socket.h>

using namespace laggard::collect;

extern "C" {
// What programs call that are compiled with _FORTIFY_SOURCE; no header declares them.
ssize_t __recv_chk(int, void *, std::size_t, std::size_t, int);                              // NOLINT: the C library's names
ssize_t __recvfrom_chk(int, void *, std::size_t, std::size_t, int, sockaddr *, socklen_t *); // NOLINT
}

namespace {

/// Where the system puts an address: what the program gives for it or, where it does not ask for one, room of the wrapper's.
struct AddressRoom {
    AddressRoom(sockaddr *given, socklen_t *givenBytes, bool isWanted)
        : address(given), bytes(givenBytes), given(given == nullptr || givenBytes == nullptr ? 0 : *givenBytes) {
        if (given == nullptr && isWanted) {
            address = reinterpret_cast<sockaddr *>(&own);
            bytes = &ownBytes;
            this->given = ownBytes;
        }
    }
    /// After the call: what was put there may be more than there was room for.
    [[nodiscard]] socklen_t filled() const { return bytes == nullptr ? 0 : std::min(*bytes, given); }

    sockaddr_storage own;
    socklen_t ownBytes = sizeof own;
    sockaddr *address;
    socklen_t *bytes;
    socklen_t given;
};

std::int64_t messageBytes(const msghdr *message) {
    std::int64_t bytes = 0;
    for (std::size_t i = 0; message != nullptr && i < std::min<std::size_t>(message->msg_iovlen, 1024); ++i) // IOV_MAX
        bytes += static_cast<std::int64_t>(message->msg_iov[i].iov_len);
    return bytes;
}

} // namespace

LAGGARD_WRAPPER int socket(int domain, int type, int protocol) noexcept {
    LAGGARD_REAL(socket)
    LAGGARD_CALL(socket, -1, domain);
    return call.returns(real(domain, type, protocol));
}
LAGGARD_WRAPPER int socketpair(int domain, int type, int protocol, int ends[2]) noexcept {
    LAGGARD_REAL(socketpair)
    LAGGARD_CALL(socketpair, -1, domain);
    const int result = real(domain, type, protocol, ends);
    if (result == 0)
        call.pair(ends[0], ends[1]);
    return call.returns(result);
}
LAGGARD_WRAPPER int bind(int descriptor, const sockaddr *address, socklen_t bytes) noexcept {
    LAGGARD_REAL(bind)
    LAGGARD_CALL(bind, descriptor, 0, address, bytes);
    return call.returns(real(descriptor, address, bytes));
}
LAGGARD_WRAPPER int connect(int descriptor, const sockaddr *address, socklen_t bytes) {
    LAGGARD_REAL(connect)
    LAGGARD_CALL(connect, descriptor, 0, address, bytes);
    return call.returns(real(descriptor, address, bytes));
}
LAGGARD_WRAPPER int listen(int descriptor, int backlog) noexcept {
    LAGGARD_REAL(listen)
    LAGGARD_CALL(listen, descriptor, backlog);
    return call.returns(real(descriptor, backlog));
}
LAGGARD_WRAPPER int shutdown(int descriptor, int how) noexcept {
    LAGGARD_REAL(shutdown)
    LAGGARD_CALL(shutdown, descriptor, how);
    return call.returns(real(descriptor, how));
}

LAGGARD_WRAPPER int accept(int descriptor, sockaddr *__restrict address, socklen_t *__restrict bytes) {
    LAGGARD_REAL(accept)
    LAGGARD_CALL(accept, descriptor);
    const AddressRoom room(address, bytes, call.isRecorded());
    const int result = real(descriptor, room.address, room.bytes);
    call.address(room.address, result < 0 ? 0 : room.filled());
    return call.returns(result);
}
LAGGARD_WRAPPER int accept4(int descriptor, sockaddr *__restrict address, socklen_t *__restrict bytes, int flags) {
    LAGGARD_REAL(accept4)
    LAGGARD_CALL(accept4, descriptor);
    const AddressRoom room(address, bytes, call.isRecorded());
    const int result = real(descriptor, room.address, room.bytes, flags);
    call.address(room.address, result < 0 ? 0 : room.filled());
    return call.returns(result);
}

LAGGARD_WRAPPER ssize_t recv(int descriptor, void *to, std::size_t bytes, int flags) {
    LAGGARD_REAL(recv)
    LAGGARD_CALL(recv, descriptor, static_cast<std::int64_t>(bytes));
    return call.returns(real(descriptor, to, bytes, flags));
}
LAGGARD_WRAPPER ssize_t __recv_chk(int descriptor, void *to, std::size_t bytes, std::size_t room, int flags) {
    LAGGARD_REAL(__recv_chk)
    LAGGARD_CALL(__recv_chk, descriptor, static_cast<std::int64_t>(bytes));
    return call.returns(real(descriptor, to, bytes, room, flags));
}
LAGGARD_WRAPPER ssize_t recvfrom(int descriptor, void *__restrict to, std::size_t bytes, int flags, sockaddr *__restrict address,
                                 socklen_t *__restrict addressBytes) {
    LAGGARD_REAL(recvfrom)
    LAGGARD_CALL(recvfrom, descriptor, static_cast<std::int64_t>(bytes));
    const AddressRoom room(address, addressBytes, false);
    const ssize_t result = real(descriptor, to, bytes, flags, address, addressBytes);
    call.address(address, result < 0 ? 0 : room.filled());
    return call.returns(result);
}
LAGGARD_WRAPPER ssize_t __recvfrom_chk(int descriptor, void *to, std::size_t bytes, std::size_t toRoom, int flags,
                                       sockaddr *address, socklen_t *addressBytes) {
    LAGGARD_REAL(__recvfrom_chk)
    LAGGARD_CALL(__recvfrom_chk, descriptor, static_cast<std::int64_t>(bytes));
    const AddressRoom room(address, addressBytes, false);
    const ssize_t result = real(descriptor, to, bytes, toRoom, flags, address, addressBytes);
    call.address(address, result < 0 ? 0 : room.filled());
    return call.returns(result);
}
LAGGARD_WRAPPER ssize_t recvmsg(int descriptor, msghdr *message, int flags) {
    LAGGARD_REAL(recvmsg)
    LAGGARD_CALL(recvmsg, descriptor, messageBytes(message));
    const socklen_t room = message == nullptr ? 0 : message->msg_namelen;
    const ssize_t result = real(descriptor, message, flags);
    if (result >= 0)
        call.address(message->msg_name, std::min(message->msg_namelen, room));
    return call.returns(result);
}
LAGGARD_WRAPPER int recvmmsg(int descriptor, mmsghdr *messages, unsigned count, int flags, timespec *timeout) {
    LAGGARD_REAL(recvmmsg)
    LAGGARD_CALL(recvmmsg, descriptor, count);
    return call.returns(real(descriptor, messages, count, flags, timeout));
}
LAGGARD_WRAPPER ssize_t send(int descriptor, const void *from, std::size_t bytes, int flags) {
    LAGGARD_REAL(send)
    LAGGARD_CALL(send, descriptor, static_cast<std::int64_t>(bytes));
    return call.returns(real(descriptor, from, bytes, flags));
}
LAGGARD_WRAPPER ssize_t sendto(int descriptor, const void *from, std::size_t bytes, int flags, const sockaddr *address,
                               socklen_t addressBytes) {
    LAGGARD_REAL(sendto)
    LAGGARD_CALL(sendto, descriptor, static_cast<std::int64_t>(bytes), address, addressBytes);
    return call.returns(real(descriptor, from, bytes, flags, address, addressBytes));
}
LAGGARD_WRAPPER ssize_t sendmsg(int descriptor, const msghdr *message, int flags) {
    LAGGARD_REAL(sendmsg)
    LAGGARD_CALL(sendmsg, descriptor, messageBytes(message));
    return call.returns(real(descriptor, message, flags));
}
LAGGARD_WRAPPER int sendmmsg(int descriptor, mmsghdr *messages, unsigned count, int flags) {
    LAGGARD_REAL(sendmmsg)
    LAGGARD_CALL(sendmmsg, descriptor, count);
    return call.returns(real(descriptor, messages, count, flags));
}
