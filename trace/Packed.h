// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

/// Values as bytes, between processes of one run of one program: no format for files. A type that is packed has beside it
///
///     template <typename Archive> void packFields(Archive &archive, Type &value) { archive(value.a, value.b); }
///
/// which writer and reader share, so that they cannot differ.
namespace laggard {

/// Thrown when bytes are not what was packed.
class NotPacked : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

template <typename T>
concept Plain = std::is_arithmetic_v<T> || std::is_enum_v<T>;

class PackWriter {
  public:
    template <typename... Ts> void operator()(const Ts &...values) { (put(values), ...); }
    [[nodiscard]] std::string take() { return std::move(m_bytes); }

  private:
    void raw(const void *from, std::size_t size) { m_bytes.append(static_cast<const char *>(from), size); }
    template <Plain T> void put(const T &value) { raw(&value, sizeof value); }
    void put(const std::string &text) {
        put(std::uint64_t{text.size()});
        m_bytes += text;
    }
    template <typename T> void put(const std::optional<T> &value) {
        put(value.has_value());
        if (value)
            put(*value);
    }
    template <typename T> void put(const std::shared_ptr<const T> &value) {
        put(value != nullptr);
        if (value)
            put(*value);
    }
    template <typename A, typename B> void put(const std::pair<A, B> &value) {
        put(value.first);
        put(value.second);
    }
    template <typename K, typename V> void put(const std::map<K, V> &entries) {
        put(std::uint64_t{entries.size()});
        for (const auto &entry : entries)
            put(entry);
    }
    template <typename T> void put(const std::vector<T> &values) {
        put(std::uint64_t{values.size()});
        if constexpr (Plain<T>)
            raw(values.data(), values.size() * sizeof(T));
        else
            for (const T &value : values)
                put(value);
    }
    template <typename T>
    requires std::is_class_v<T>
    void put(const T &value) {
        packFields(*this, const_cast<T &>(value)); // one function serves both ways; the writer only reads
    }

    std::string m_bytes;
};

class PackReader {
  public:
    explicit PackReader(std::string_view bytes) : m_left(bytes) {}
    template <typename... Ts> void operator()(Ts &...values) { (get(values), ...); }
    [[nodiscard]] bool atEnd() const { return m_left.empty(); }

  private:
    void raw(void *to, std::size_t size) {
        if (size > m_left.size())
            throw NotPacked("what another process sent breaks off");
        if (size != 0)
            std::memcpy(to, m_left.data(), size);
        m_left.remove_prefix(size);
    }
    template <Plain T> void get(T &value) { raw(&value, sizeof value); }
    /// A number of elements of at least `least` bytes each.
    std::size_t count(std::size_t least) {
        std::uint64_t size = 0;
        get(size);
        if (size > m_left.size() / least)
            throw NotPacked("what another process sent is not what it should be");
        return static_cast<std::size_t>(size);
    }
    void get(std::string &text) {
        text.resize(count(1));
        raw(text.data(), text.size());
    }
    template <typename T> void get(std::optional<T> &value) {
        bool has = false;
        get(has);
        if (has)
            get(value.emplace());
    }
    template <typename T> void get(std::shared_ptr<const T> &value) {
        bool has = false;
        get(has);
        if (!has)
            return;
        auto made = std::make_shared<T>();
        get(*made);
        value = std::move(made);
    }
    template <typename A, typename B> void get(std::pair<A, B> &value) {
        get(value.first);
        get(value.second);
    }
    template <typename K, typename V> void get(std::map<K, V> &entries) {
        for (std::size_t left = count(1); left != 0; --left) {
            std::pair<K, V> entry;
            get(entry);
            entries.insert(std::move(entry));
        }
    }
    template <typename T> void get(std::vector<T> &values) {
        if constexpr (Plain<T>) {
            values.resize(count(sizeof(T)));
            raw(values.data(), values.size() * sizeof(T));
        } else {
            values.resize(count(1));
            for (T &value : values)
                get(value);
        }
    }
    template <typename T>
    requires std::is_class_v<T>
    void get(T &value) { packFields(*this, value); }

    std::string_view m_left;
};

template <typename T> [[nodiscard]] std::string packed(const T &value) {
    PackWriter writer;
    writer(value);
    return writer.take();
}

/// Throws NotPacked.
template <typename T> [[nodiscard]] T unpacked(std::string_view bytes) {
    PackReader reader(bytes);
    T value{};
    reader(value);
    if (!reader.atEnd())
        throw NotPacked("what another process sent is longer than it should be");
    return value;
}

} // namespace laggard
