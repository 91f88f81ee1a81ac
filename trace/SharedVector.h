// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

namespace laggard {

/// A vector that copies share: results that hold large tables can be copied where only a small part of them is to differ. It can
/// be changed as long as there is no copy of it; later that is an error of the program (std::logic_error).
template <typename T> class SharedVector {
  public:
    using value_type = T;
    using const_iterator = typename std::vector<T>::const_iterator;

    SharedVector() = default;
    SharedVector(std::vector<T> values) : m_values(std::make_shared<std::vector<T>>(std::move(values))) {}
    SharedVector &operator=(std::vector<T> values) {
        m_values = std::make_shared<std::vector<T>>(std::move(values));
        return *this;
    }

    [[nodiscard]] const std::vector<T> &values() const { return *m_values; }
    [[nodiscard]] operator const std::vector<T> &() const { return *m_values; } // NOLINT: read as the vector it is
    [[nodiscard]] std::size_t size() const { return m_values->size(); }
    [[nodiscard]] bool empty() const { return m_values->empty(); }
    [[nodiscard]] const T &operator[](std::size_t i) const { return (*m_values)[i]; }
    [[nodiscard]] const T &front() const { return m_values->front(); }
    [[nodiscard]] const T &back() const { return m_values->back(); }
    [[nodiscard]] const_iterator begin() const { return m_values->begin(); }
    [[nodiscard]] const_iterator end() const { return m_values->end(); }

    [[nodiscard]] T &operator[](std::size_t i) { return own()[i]; }
    [[nodiscard]] T &front() { return own().front(); }
    [[nodiscard]] T &back() { return own().back(); }
    [[nodiscard]] typename std::vector<T>::iterator begin() { return own().begin(); }
    [[nodiscard]] typename std::vector<T>::iterator end() { return own().end(); }
    void resize(std::size_t size) { own().resize(size); }
    void resize(std::size_t size, const T &value) { own().resize(size, value); }
    void reserve(std::size_t size) { own().reserve(size); }
    void assign(std::size_t size, const T &value) { own().assign(size, value); }
    void clear() { own().clear(); }
    void push_back(T value) { own().push_back(std::move(value)); }
    template <typename... Arguments> T &emplace_back(Arguments &&...arguments) {
        return own().emplace_back(std::forward<Arguments>(arguments)...);
    }
    /// True if both are one in memory.
    [[nodiscard]] bool isSharedWith(const SharedVector &other) const { return m_values == other.m_values; }
    bool operator==(const SharedVector &other) const { return *m_values == *other.m_values; }

  private:
    std::vector<T> &own() {
        if (m_values.use_count() > 1)
            throw std::logic_error("a shared table cannot be changed");
        return *m_values;
    }

    std::shared_ptr<std::vector<T>> m_values = std::make_shared<std::vector<T>>();
};

} // namespace laggard
