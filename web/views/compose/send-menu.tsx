import { changeSettings } from '../../actions/personal.ts'
import { c } from '../../texts/compose.ts'
import { t } from '../../texts/texts.ts'
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { attempt } from '../announcement.tsx'
import { likelyTimes } from '../likely-times.ts'
import { settings } from '../preferences.ts'

interface SendMenuProps {
  readonly anchor: Element
  readonly isReady: boolean
  /** At UNIX seconds; undefined: at a time that is asked for. */
  readonly onSchedule: (at?: number) => void
  readonly onClose: () => void
}

/** The send options: a later time, and the key that sends. */
export function SendMenu({ anchor, isReady, onSchedule, onClose }: SendMenuProps) {
  const { enter_sends } = settings()
  return (
    <Menu anchor={anchor} align="end" label={c.sendOptions} onClose={onClose}>
      {isReady && (
        <>
          <p class="menu-note">{t.compose.later}</p>
          {likelyTimes().map(({ name, at }) => (
            <MenuItem key={name} icon="later" onClick={() => onSchedule(at)}>
              {name}
            </MenuItem>
          ))}
          <MenuItem icon="later" onClick={() => onSchedule()}>
            {t.times.another}
          </MenuItem>
          <MenuLine />
        </>
      )}
      <MenuItem checked={enter_sends} onClick={() => attempt(changeSettings({ enter_sends: true }))}>
        {c.enterSends}
      </MenuItem>
      <MenuItem checked={!enter_sends} onClick={() => attempt(changeSettings({ enter_sends: false }))}>
        {c.ctrlEnterSends}
      </MenuItem>
    </Menu>
  )
}
