import { state, watch } from '../../chat.ts'
import { c } from '../../texts/compose.ts'
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
    <Menu anchor={anchor} label={c.snippets} onClose={onClose}>
      {snippets.length === 0 && <p class="menu-note">{c.noSnippets}</p>}
      {snippets.map(({ id, title, content }) => (
        <MenuItem key={id} icon="snippets" onClick={() => onInsert(content)}>
          {title}
        </MenuItem>
      ))}
      <MenuLine />
      <MenuItem icon="gear" href="#settings/saved-snippets">
        {c.editSnippets}
      </MenuItem>
    </Menu>
  )
}
