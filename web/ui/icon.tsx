import {
  AlarmClock,
  ArrowDown,
  ArrowLeft,
  AtSign,
  Bell,
  BellOff,
  BellRing,
  Bookmark,
  BookOpenCheck,
  Bot,
  CalendarClock,
  Check,
  ChevronDown,
  ChevronRight,
  CircleCheckBig,
  CirclePlus,
  Clock,
  CodeXml,
  DoorOpen,
  Ellipsis,
  Eye,
  Flag,
  Globe,
  Hash,
  History,
  type IconNode,
  ImageOff,
  Inbox,
  Keyboard,
  Layers,
  Link,
  Lock,
  LogOut,
  Mail,
  MailOpen,
  Menu,
  MessageCircle,
  MessagesSquare,
  Moon,
  MoveRight,
  NotebookPen,
  NotepadText,
  Paperclip,
  Pencil,
  Pin,
  Plus,
  Reply,
  Search,
  Settings,
  Smile,
  SmilePlus,
  SquarePen,
  SquareUser,
  Star,
  Sun,
  SunMoon,
  TextQuote,
  Trash2,
  User,
  UserPlus,
  Users,
  Volume2,
  X,
} from 'lucide'
import { h } from 'preact'

/** Each name is one meaning, and has a picture of its own; where and for what it is used: test/house/icons.test.ts. */
const ICONS = {
  alarm: AlarmClock,
  arrowDown: ArrowDown,
  at: AtSign,
  attach: Paperclip,
  back: ArrowLeft,
  bell: Bell,
  bot: Bot,
  close: X,
  compose: SquarePen,
  direct: MessageCircle,
  draft: NotebookPen,
  edit: Pencil,
  emoji: Smile,
  feed: Layers,
  flag: Flag,
  fold: ChevronDown,
  follow: BellRing,
  gear: Settings,
  globe: Globe,
  group: MessagesSquare,
  hash: Hash,
  hidePreviews: ImageOff,
  history: History,
  inbox: Inbox,
  invite: UserPlus,
  join: CirclePlus,
  keyboard: Keyboard,
  later: CalendarClock,
  leave: DoorOpen,
  link: Link,
  lock: Lock,
  logOut: LogOut,
  menu: Menu,
  moon: Moon,
  more: Ellipsis,
  move: MoveRight,
  muted: BellOff,
  byPerson: SquareUser,
  people: Users,
  person: User,
  pin: Pin,
  plus: Plus,
  preview: Eye,
  quote: TextQuote,
  react: SmilePlus,
  read: MailOpen,
  readers: BookOpenCheck,
  recent: Clock,
  reply: Reply,
  resolve: CircleCheckBig,
  saved: Check,
  saveSearch: Bookmark,
  search: Search,
  snippets: NotepadText,
  source: CodeXml,
  star: Star,
  sun: Sun,
  system: SunMoon,
  trash: Trash2,
  unmuted: Volume2,
  unread: Mail,
  within: ChevronRight,
} as const satisfies Readonly<Record<string, IconNode>>

export type IconName = keyof typeof ICONS

export const ICON_NAMES = Object.keys(ICONS) as IconName[]

/** Icons that are mirrored in languages read from right to left. */
const TURNS: ReadonlySet<IconName> = new Set(['reply', 'move', 'logOut', 'within', 'back', 'quote'])

/** A decoration: its meaning is in the text beside it. What is loaded on demand brings icons of its own. */
export function Icon({
  name,
  filled = false,
}: {
  readonly name: IconName | IconNode
  readonly filled?: boolean
}) {
  const isNamed = typeof name === 'string'
  return (
    <svg
      class={`icon${filled ? ' icon-filled' : ''}${isNamed && TURNS.has(name) ? ' icon-turns' : ''}`}
      viewBox="0 0 24 24"
      aria-hidden="true"
    >
      {(isNamed ? ICONS[name] : name).map(([tag, attributes]) => h(tag, attributes))}
    </svg>
  )
}
