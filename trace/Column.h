// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace laggard {

/// A growable array of trivially copyable values, for the columns of a trace.
///
/// Grows with realloc: for large blocks the C library moves pages instead of copying, and pages that were
/// never touched take no memory, so that a column costs what it holds even while it grows. Move-only.
/// Throws std::bad_alloc.
template <typename T> class Column {
    static_assert(std::is_trivially_copyable_v<T>);

  public:
    Column() = default;
    Column(const Column &) = delete;
    Column &operator=(const Column &) = delete;
    Column(Column &&other) noexcept
        : m_data(std::exchange(other.m_data, nullptr)),
          m_size(std::exchange(other.m_size, 0)),
          m_capacity(std::exchange(other.m_capacity, 0)) {}
    Column &operator=(Column &&other) noexcept {
        std::swap(m_data, other.m_data);
        std::swap(m_size, other.m_size);
        std::swap(m_capacity, other.m_capacity);
        return *this;
    }
    ~Column() { std::free(m_data); }

    void push_back(T value) {
        if (m_size == m_capacity)
            reallocate(m_capacity == 0 ? 16 : m_capacity * 2);
        m_data[m_size++] = value;
    }
    /// Grows (new elements are `fill`) or shrinks to `size` elements.
    void resize(std::size_t size, T fill = T{}) {
        if (size > m_capacity)
            reallocate(size);
        for (; m_size < size; ++m_size)
            m_data[m_size] = fill;
        m_size = size;
    }
    void reserve(std::size_t capacity) {
        if (capacity > m_capacity)
            reallocate(capacity);
    }
    /// A column with the same values.
    [[nodiscard]] Column clone() const {
        Column copy;
        copy.reserve(m_size);
        for (const T &value : *this)
            copy.push_back(value);
        return copy;
    }
    /// Gives unused capacity back.
    void shrink() {
        if (m_capacity > m_size)
            reallocate(m_size);
    }
    void clear() { m_size = 0; }

    [[nodiscard]] std::size_t size() const { return m_size; }
    [[nodiscard]] bool empty() const { return m_size == 0; }
    [[nodiscard]] T *data() { return m_data; }
    [[nodiscard]] const T *data() const { return m_data; }
    [[nodiscard]] T *begin() { return m_data; }
    [[nodiscard]] T *end() { return m_data + m_size; }
    [[nodiscard]] const T *begin() const { return m_data; }
    [[nodiscard]] const T *end() const { return m_data + m_size; }
    [[nodiscard]] T &operator[](std::size_t i) { return m_data[i]; }
    [[nodiscard]] const T &operator[](std::size_t i) const { return m_data[i]; }
    [[nodiscard]] const T &back() const { return m_data[m_size - 1]; }
    [[nodiscard]] std::span<const T> span() const { return {m_data, m_size}; }
    /// Bytes held, unused capacity included.
    [[nodiscard]] std::size_t bytes() const { return m_capacity * sizeof(T); }

  private:
    void reallocate(std::size_t capacity) {
        if (capacity == 0) {
            std::free(std::exchange(m_data, nullptr));
            m_capacity = 0;
            return;
        }
        void *grown = std::realloc(m_data, capacity * sizeof(T));
        if (grown == nullptr)
            throw std::bad_alloc();
        m_data = static_cast<T *>(grown);
        m_capacity = capacity;
    }

    T *m_data = nullptr;
    std::size_t m_size = 0;
    std::size_t m_capacity = 0;
};

} // namespace laggard
