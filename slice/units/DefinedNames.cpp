// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/units/DefinedNames.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

namespace laggard {
namespace {

bool beginsName(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool continuesName(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// The tokens of a source: names, "::", a string as "\"", any other letter by itself; neither comments nor lines of the
/// preprocessor.
class Tokens {
  public:
    explicit Tokens(std::string_view text) : m_text(text) {}

    /// Empty at the end.
    std::string_view next() {
        while (skipWhatIsNoCode()) {
        }
        if (m_at >= m_text.size())
            return {};
        const std::size_t from = m_at;
        const char c = m_text[m_at++];
        if (beginsName(c)) {
            while (m_at < m_text.size() && continuesName(m_text[m_at]))
                ++m_at;
            if (m_at < m_text.size() && m_text[m_at] == '"' && m_text[m_at - 1] == 'R')
                return rawString();
        } else if (c == '"' || (c == '\'' && (from == 0 || !continuesName(m_text[from - 1])))) {
            skipLiteral(c);
            return "\"";
        } else if (c == ':' && m_at < m_text.size() && m_text[m_at] == ':')
            ++m_at;
        m_isLineStart = false;
        return m_text.substr(from, m_at - from);
    }

  private:
    bool skipWhatIsNoCode() {
        if (m_at >= m_text.size())
            return false;
        const char c = m_text[m_at];
        if (c == '\n')
            m_isLineStart = true;
        if (std::isspace(static_cast<unsigned char>(c)) != 0) {
            ++m_at;
            return true;
        }
        if (c == '#' && m_isLineStart) {
            skipLine();
            return true;
        }
        const std::string_view two = m_text.substr(m_at, 2);
        if (two == "//")
            skipLine();
        else if (two == "/*")
            m_at = std::min(m_text.find("*/", m_at + 2), m_text.size() - 2) + 2;
        else
            return false;
        return true;
    }
    /// To the line's end, which a backslash moves on by a line.
    void skipLine() {
        do {
            m_at = std::min(m_text.find('\n', m_at + 1), m_text.size());
        } while (m_at < m_text.size() &&
                 (m_text[m_at - 1] == '\\' || (m_text[m_at - 1] == '\r' && m_at > 1 && m_text[m_at - 2] == '\\')));
    }
    void skipLiteral(char quote) {
        while (m_at < m_text.size() && m_text[m_at] != quote && m_text[m_at] != '\n')
            m_at += m_text[m_at] == '\\' ? 2 : 1;
        m_at = std::min(m_at + 1, m_text.size());
    }
    std::string_view rawString() {
        const std::size_t open = std::min(m_text.find('(', m_at), m_text.size());
        const std::string end = ')' + std::string(m_text.substr(m_at + 1, open - m_at - 1)) + '"';
        const std::size_t found = m_text.find(end, open);
        m_at = found == std::string_view::npos ? m_text.size() : found + end.size();
        return "\"";
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    bool m_isLineStart = true;
};

/// Goes through the declarations outside of functions and classes.
class Declarations {
  public:
    void take(std::string_view token) {
        if (!m_hidden.empty())
            takeWithin(token);
        else if (token == "{" && m_parentheses == 0)
            open();
        else if (token == "}")
            endStatement(); // the namespace ends here
        else if (token == ";" && m_parentheses == 0)
            endVariable();
        else
            extend(token);
    }
    DefinedNames result() { return std::move(m_result); }

  private:
    enum class Hidden { Body, Value }; // behind a value (or a class), the declaration goes on

    void takeWithin(std::string_view token) {
        if (token == "{")
            m_hidden.push_back(Hidden::Body);
        else if (token == "}") {
            const Hidden kind = m_hidden.back();
            m_hidden.pop_back();
            if (m_hidden.empty() && kind == Hidden::Body)
                endStatement();
        }
    }
    void open() {
        if (m_isNamespace || (m_isExtern && m_hasString && m_tokens == 2)) {
            endStatement();
            return;
        }
        if (m_tokens == 0) // parameters of old: f(a) int a; {
            m_called = std::move(m_calledBefore);
        const bool isFunction = !m_called.empty() && !m_hasValue;
        if (isFunction && !m_isStatic) {
            m_result.names.insert(m_called.begin(), m_called.end());
            m_result.scopes.insert(m_scopes.begin(), m_scopes.end());
        }
        if (!isFunction && !m_isClass)
            takeVariable();
        m_name = {};
        m_hidden.push_back(isFunction ? Hidden::Body : Hidden::Value);
    }
    void endVariable() {
        takeVariable();
        const bool isVariable = !m_isExtern || m_hasValue;
        if (isVariable && !m_isType && !m_isStatic) {
            m_result.names.insert(m_variables.begin(), m_variables.end());
            m_result.scopes.insert(m_scopes.begin(), m_scopes.end());
        }
        std::vector<std::string> called = std::move(m_called.empty() ? m_calledBefore : m_called);
        endStatement();
        m_calledBefore = std::move(called);
    }
    void endStatement() { *this = Declarations(std::move(m_result)); }

    void extend(std::string_view token) {
        ++m_tokens;
        if (token == "(") {
            if (m_parentheses++ == 0 && !m_name.empty())
                m_called.emplace_back(m_name);
            else if (m_parentheses == 1 && m_isOperator)
                m_called.emplace_back("operator");
        } else if (token == ")")
            m_parentheses = std::max(m_parentheses - 1, 0);
        else if (m_parentheses != 0) {
            if (m_previous == "*" && beginsName(token[0])) // pointer to a function
                m_variables.emplace_back(token);
        } else
            extendOutside(token);
        m_previous = token;
        m_name = beginsName(token[0]) ? token : std::string_view();
    }
    void extendOutside(std::string_view token) {
        if (token == "=" || token == "," || token == "[") {
            takeVariable();
            m_hasValue |= token == "=";
        } else if (token == "::" && !m_name.empty())
            m_scopes.emplace_back(m_name);
        else if (token == "\"")
            m_hasString = true;
        else if (token == "namespace")
            m_isNamespace = true;
        else if (token == "extern")
            m_isExtern = true;
        else if (token == "typedef" || token == "using")
            m_isType = true;
        else if (token == "class" || token == "struct" || token == "union" || token == "enum")
            m_isClass = true;
        else if (token == "operator")
            m_isOperator = true;
        else if (token == "static")
            m_isStatic = true;
    }
    void takeVariable() {
        if (!m_name.empty() && m_parentheses == 0)
            m_variables.emplace_back(m_name);
    }

    Declarations() = default;
    explicit Declarations(DefinedNames result) : m_result(std::move(result)) {}
    friend DefinedNames laggard::definedNames(std::string_view source);

    DefinedNames m_result;
    std::vector<Hidden> m_hidden; ///< braces whose content is passed over
    std::vector<std::string> m_called, m_calledBefore, m_variables, m_scopes;
    std::string_view m_name; ///< the token before, if it is a name
    std::string_view m_previous;
    std::size_t m_tokens = 0;
    int m_parentheses = 0;
    bool m_isNamespace = false, m_isExtern = false, m_hasString = false, m_isType = false, m_hasValue = false;
    bool m_isOperator = false, m_isClass = false, m_isStatic = false;
};

} // namespace

DefinedNames definedNames(std::string_view source) {
    Tokens tokens(source);
    Declarations declarations;
    for (std::string_view token = tokens.next(); !token.empty(); token = tokens.next())
        declarations.take(token);
    return declarations.result();
}

} // namespace laggard
