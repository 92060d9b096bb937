import { state, watch } from '../../chat.ts'
import { t } from '../../texts/texts.ts'
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx'

interface SnippetMenuProps {
  readonly anchor: Element
  readonly onInsert: (text: string) => void
  readonly onClose: () => void
}

/** A menu of saved texts, one of which is inserted. */
export function SnippetMenu({ anchor, onInsert, onClose }: SnippetMenuProps) {
  watch('snippets')
  const snippets = [...state.snippets.values()].sort((a, b) => a.title.localeCompare(b.title))
  return (
    <Menu anchor={anchor} label={t.compose.snippets} onClose={onClose}>
      {snippets.length === 0 && <p class="menu-note">{t.compose.noSnippets}</p>}
      {snippets.map(({ id, title, content }) => (
        <MenuItem key={id} icon="snippets" onClick={() => onInsert(content)}>
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
