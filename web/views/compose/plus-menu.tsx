import {
  AlarmClock,
  CalendarClock,
  ChartBar,
  type IconNode,
  ImagePlay,
  ListTodo,
  Mic,
  Paperclip,
  Phone,
  Video,
} from 'lucide'
import { c } from '../../texts/compose.ts'
import { t } from '../../texts/texts.ts'
import type { IconName } from '../../ui/icon.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import type { WritingAction } from './actions.ts'

interface PlusMenuProps {
  readonly anchor: Element
  readonly offered: readonly WritingAction[]
  readonly onChoose: (action: WritingAction) => void
  readonly onClose: () => void
}

const ICONS: Readonly<Record<WritingAction, IconName | IconNode>> = {
  file: Paperclip,
  gif: ImagePlay,
  poll: ChartBar,
  todo: ListTodo,
  snippet: 'snippets',
  schedule: CalendarClock,
  reminder: AlarmClock,
  voice: Mic,
  videoCall: Video,
  voiceCall: Phone,
}

/** The menu of things that a message can have besides text. */
export function PlusMenu({ anchor, offered, onChoose, onClose }: PlusMenuProps) {
  const names: Readonly<Record<WritingAction, string>> = {
    ...c,
    file: c.attach,
    schedule: t.compose.later,
  }
  return (
    <Menu anchor={anchor} label={c.add} onClose={onClose}>
      {offered.map((action) => (
        <MenuItem key={action} icon={ICONS[action]} onClick={() => onChoose(action)}>
          {names[action]}
        </MenuItem>
      ))}
    </Menu>
  )
}
