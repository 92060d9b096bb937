import { t } from '../../texts/texts.ts'
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { channelOrder, orderChannels } from './sidebar-state.ts'

interface OptionsMenuProps {
  readonly anchor: Element
  readonly onClose: () => void
}

/** The menu of the list of channels: all channels, and its order. */
export function OptionsMenu({ anchor, onClose }: OptionsMenuProps) {
  return (
    <Menu anchor={anchor} label={t.sidebar.options} onClose={onClose}>
      <MenuItem icon="hash" href="#channels/all">
        {t.sidebar.allChannels}
      </MenuItem>
      <MenuLine />
      <p class="menu-note">{t.sidebar.sort}</p>
      {(['name', 'activity', 'hand'] as const).map((by) => (
        <MenuItem key={by} checked={channelOrder.value === by} onClick={() => orderChannels(by)}>
          {t.sidebar.orders[by]}
        </MenuItem>
      ))}
      <p class="menu-note small">{t.sidebar.handHint}</p>
    </Menu>
  )
}
