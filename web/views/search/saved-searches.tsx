import { useState } from 'preact/hooks'
import { state, watch } from '../../chat.ts'
import { fragment as shownFragment } from '../../navigation.ts'
import { t } from '../../texts/texts.ts'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { onDemand } from '../../ui/on-demand.tsx'
import { type SavedSearch, savedSearches } from './saved-searches-state.ts'

const SavedSearchMenu = onDemand(async () => {
  const { SavedSearchMenu: menu, loadReadingTexts } = await import('./saved-search-menu.tsx')
  await loadReadingTexts()
  return menu
})

/** The searches that the user has saved, in the sidebar. */
export function SavedSearches() {
  watch('navigation')
  const [open, setOpen] = useState<{ readonly of: SavedSearch; readonly anchor: Element }>()
  const saved = savedSearches(state)
  if (saved.length === 0) return null
  return (
    <>
      <ul class="sidebar-views" aria-label={t.search.saved}>
        {saved.map((one) => (
          <li key={one.fragment} class="sidebar-line">
            <a
              class="sidebar-row"
              href={`#${one.fragment}`}
              aria-current={shownFragment.value === `#${one.fragment}` ? 'page' : undefined}
            >
              <Icon name="saveSearch" />
              <span class="one-line" dir="auto">
                {one.name}
              </span>
            </a>
            <IconButton
              icon="more"
              class="sidebar-more"
              label={t.sidebar.more(one.name)}
              aria-haspopup="menu"
              tabIndex={-1}
              onClick={(event) => setOpen({ of: one, anchor: event.currentTarget as Element })}
            />
          </li>
        ))}
      </ul>
      {open && (
        <SavedSearchMenu
          key={open.of.fragment}
          of={open.of}
          anchor={open.anchor}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  )
}
