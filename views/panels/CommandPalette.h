// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractListModel>
#include <QDialog>

#include <functional>
#include <vector>

class QLabel;
class QLineEdit;
class QListView;

namespace laggard {

/// Something to find and run by typing a part of its name.
struct PaletteEntry {
    QString text;
    QString detail; ///< shortcut, source place …
    std::function<void()> run;
};

/// Finds the entries for what was typed, best first.
using PaletteSource = std::function<std::vector<PaletteEntry>(const QString &typed)>;

/// The entries whose text matches, best first, at most `most`.
[[nodiscard]] std::vector<PaletteEntry> matchingEntries(const std::vector<PaletteEntry> &entries, const QString &typed,
                                                        std::size_t most = 200);

/// Entries for all enabled, visible actions with a text, in their order. The actions must live as long as the entries.
[[nodiscard]] std::vector<PaletteEntry> entriesOf(const QList<QAction *> &actions);

/// What the palette lists.
class PaletteModel : public QAbstractListModel {
    Q_OBJECT

  public:
    enum Role { DetailRole = Qt::UserRole, PositionsRole };

    using QAbstractListModel::QAbstractListModel;

    void setEntries(std::vector<PaletteEntry> entries, const QString &typed);
    [[nodiscard]] const PaletteEntry &entry(int row) const { return m_entries[static_cast<std::size_t>(row)]; }

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;

  private:
    std::vector<PaletteEntry> m_entries;
    QString m_typed;
};

/// A line to type in and a list of what fits: commands, or places to go to. Up, Down, Enter and Escape are all it needs.
class CommandPalette : public QDialog {
    Q_OBJECT

  public:
    /// `hint` is shown in the empty line.
    CommandPalette(const QString &hint, PaletteSource source, QWidget *parent = nullptr);

    /// Opens below the upper edge of the parent window, with an empty line.
    void popUp();

    [[nodiscard]] QLineEdit *line() const { return m_line; }
    [[nodiscard]] const PaletteModel &model() const { return m_model; }

  protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

  private:
    void refresh();
    void runCurrent();

    PaletteSource m_source;
    PaletteModel m_model;
    QLineEdit *m_line;
    QListView *m_list;
    QLabel *m_nothing;
};

} // namespace laggard
