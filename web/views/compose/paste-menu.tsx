import { Image, Sheet, TextAlignStart } from 'lucide'
import { c } from '../../texts/compose.ts'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import type { CellForm } from './paste.ts'

export { loadComposeTexts } from '../../texts/compose.ts'

interface PasteMenuProps {
  readonly anchor: Element
  readonly forms: readonly CellForm[]
  readonly onChoose: (form: CellForm) => void
  readonly onClose: () => void
}

const ICONS = { table: Sheet, text: TextAlignStart, picture: Image } as const

/** Asks how to paste cells. */
export function PasteMenu({ anchor, forms, onChoose, onClose }: PasteMenuProps) {
  return (
    <Menu anchor={anchor} label={c.paste.cells} onClose={onClose}>
      <p class="menu-note" aria-hidden="true">
        {c.paste.cells}
      </p>
      {forms.map((form) => (
        <MenuItem key={form} icon={ICONS[form]} onClick={() => onChoose(form)}>
          {c.paste.forms[form]}
        </MenuItem>
      ))}
    </Menu>
  )
}
