import { useState } from 'preact/hooks'
import { removeView, renameView, saveView } from '../../actions/search.ts'
import { r } from '../../texts/reading.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { ActForm } from '../../ui/use-action.tsx'
import { announce, attempt } from '../announcement.tsx'
import { refusalOf } from '../settings/fetched.tsx'
import type { SavedSearch } from './saved-searches-state.ts'

export { loadReadingTexts } from '../../texts/reading.ts'

interface SavedSearchMenuProps {
  readonly of: SavedSearch
  readonly anchor: Element
  readonly onClose: () => void
}

/** Renames a saved search, or removes it. */
export function SavedSearchMenu({ of: { fragment, name }, anchor, onClose }: SavedSearchMenuProps) {
  const [isRenaming, setRenaming] = useState(false)
  if (isRenaming) {
    return (
      <Dialog title={r.search.rename} onClose={onClose}>
        <ActForm
          button={r.search.rename}
          kind="main"
          onAct={(form) => refusalOf(renameView(fragment, String(form.get('name')).trim()))}
          onDone={onClose}
        >
          <label class="labelled">
            <span>{r.search.name}</span>
            <input class="field" name="name" required maxLength={100} defaultValue={name} />
          </label>
        </ActForm>
      </Dialog>
    )
  }
  const remove = async () => {
    await removeView(fragment)
    announce(r.search.removed(name), () => saveView(fragment, name))
  }
  return (
    <Menu anchor={anchor} align="end" label={name} onClose={() => isRenaming || onClose()}>
      <MenuItem stays onClick={() => setRenaming(true)}>
        {r.search.rename}
      </MenuItem>
      <MenuItem onClick={() => attempt(remove())}>{r.search.remove}</MenuItem>
    </Menu>
  )
}
