import { state, watch } from '../../chat.ts'
import { t } from '../../texts/texts.ts'
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { focusWanted, insert } from './compose-state.ts'

interface SnippetMenuProps {
  readonly anchor: Element
  readonly onClose: () => void
}

/** Texts that were kept: the one that is chosen goes to where the cursor is. */
export function SnippetMenu({ anchor, onClose }: SnippetMenuProps) {
  watch('snippets')
  const snippets = [...state.snippets.values()].sort((a, b) => a.title.localeCompare(b.title))
  return (
    <Menu anchor={anchor} label={t.compose.snippets} onClose={onClose}>
      {snippets.length === 0 && <p class="menu-note">{t.compose.noSnippets}</p>}
      {snippets.map(({ id, title, content }) => (
        <MenuItem
          key={id}
          icon="draft"
          onClick={() => {
            insert(content)
            // The menu gives the keyboard back to its button first.
            setTimeout(() => {
              focusWanted.value = { at: 'text' }
            })
          }}
        >
          {title}
        </MenuItem>
      ))}
      <MenuLine />
      <MenuItem icon="gear" href="#settings/saved-snippets">
        {t.compose.editSnippets}
      </MenuItem>
    </Menu>
  )
}
