import { state, watch } from '../../chat.ts'
import { t } from '../../texts/texts.ts'
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { focusWanted, insert } from './compose-state.ts'

interface SnippetMenuProps {
  readonly anchor: Element
  readonly onClose: () => void
}

/** A menu of saved texts: the chosen one is inserted at the cursor. */
export function SnippetMenu({ anchor, onClose }: SnippetMenuProps) {
  watch('snippets')
  const snippets = [...state.snippets.values()].sort((a, b) => a.title.localeCompare(b.title))
  return (
    <Menu anchor={anchor} label={t.compose.snippets} onClose={onClose}>
      {snippets.length === 0 && <p class="menu-note">{t.compose.noSnippets}</p>}
      {snippets.map(({ id, title, content }) => (
        <MenuItem
          key={id}
          icon="snippets"
          onClick={() => {
            insert(content)
            // The menu first returns focus to its button.
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
