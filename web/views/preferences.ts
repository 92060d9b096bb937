import { computed, signal } from '@preact/signals'
import { state, watch } from '../chat.ts'
import { address } from '../navigation.ts'
import { channelOfNarrow, conversationOfNarrow } from '../state/narrow.ts'
import { readStored, store } from '../ui/stored.ts'
import { clock } from '../ui/time.tsx'

/** Widths from which a column is shown beside the others; the style sheets have the same. */
const NARROW = matchMedia('(max-width: 760px)')
const WIDE = matchMedia('(min-width: 1100px)')

export const isNarrow = signal(NARROW.matches)
const isWide = signal(WIDE.matches)
NARROW.addEventListener('change', () => {
  isNarrow.value = NARROW.matches
})
WIDE.addEventListener('change', () => {
  isWide.value = WIDE.matches
})

export const isSidebarOpen = signal(false)
/** Whether the people are open, on windows where they have no column of their own. */
export const isPeopleOpen = signal(false)
/** Whether their column is open where there is room for it, in this browser: beside a channel or a direct conversation, and elsewhere. */
const peopleColumn = signal({
  isOn: true,
  isOnElsewhere: false,
  ...readStored<{ isOn: boolean; isOnElsewhere?: boolean }>('people column'),
})

function whereOfColumn(): 'isOn' | 'isOnElsewhere' {
  const shown = address.value
  if (shown.view !== 'narrow') return 'isOnElsewhere'
  const { narrow } = shown
  return (channelOfNarrow(narrow) ?? conversationOfNarrow(narrow)) ? 'isOn' : 'isOnElsewhere'
}

/** Whether the people's column is open: beside the view where there is room for it, else above it. */
export function isPeopleShown(): boolean {
  return isWide.value ? peopleColumn.value[whereOfColumn()] : isPeopleOpen.value
}

export function togglePeople(): void {
  if (!isWide.value) {
    isPeopleOpen.value = !isPeopleOpen.value
    return
  }
  peopleColumn.value = { ...peopleColumn.value, [whereOfColumn()]: !isPeopleShown() }
  store('people column', peopleColumn.value)
}
export const isHelpOpen = signal(false)
/** Whether keys that write a character are shortcuts, in this browser. */
export const usesSingleKeys = signal(readStored<{ isOn: boolean }>('single keys')?.isOn ?? true)

export function setSingleKeys(isOn: boolean): void {
  usesSingleKeys.value = isOn
  store('single keys', { isOn })
}

export const isGoToOpen = signal(false)
/** Set until the field of Ctrl+K has the focus: what is typed meanwhile is for it. */
export const goToWanted = signal<true | undefined>(undefined)
/** The dialog about the user that is open. */
export const ownDialog = signal<'status' | 'quiet' | 'organizations' | undefined>(undefined)

const SCHEMES = ['', 'dark', 'light'] as const

/** Pixels that the setting has by default, and those within which the page stays whole. */
const FONT_SIZES = { usual: 16, min: 12, max: 24 } as const

/** The size is a part of the browser's own; '' leaves what base.css has. */
function fontSizeOf(px: number | undefined): string {
  if (px === undefined || px === FONT_SIZES.usual) return ''
  const part = Math.max(FONT_SIZES.min, Math.min(FONT_SIZES.max, px)) / FONT_SIZES.usual
  return `${93.75 * part}%`
}

/** Percent that the setting has by default, and those within which the page stays whole. */
const LINE_HEIGHTS = { usual: 140, min: 100, max: 200 } as const
/** Below it, rows move together too. */
const COMPACT_BELOW = 130
const LINE_HEIGHT = 1.4667

function applyDensity(percent: number = LINE_HEIGHTS.usual): void {
  const { dataset, style } = document.documentElement
  const part = Math.max(LINE_HEIGHTS.min, Math.min(LINE_HEIGHTS.max, percent)) / LINE_HEIGHTS.usual
  if (part === 1) style.removeProperty('--line-height')
  else style.setProperty('--line-height', String(LINE_HEIGHT * part))
  if (percent < COMPACT_BELOW) dataset.density = 'compact'
  else delete dataset.density
}

/**
 * Where this browser keeps that the user has chosen a clock of 12 hours. The setting's `false` stands for that choice and for none, without
 * which times follow the language.
 */
export function twelveHoursKey(): string {
  return `twelve hours ${state.me}`
}

/** Applies those of the user's settings that concern the whole page. Called when they change. */
export function applyPreferences(): void {
  const {
    color_scheme,
    fluid_layout_width,
    twenty_four_hour_time,
    timezone,
    web_font_size_px,
    web_line_height_percent,
  } = state.settings
  // 1 the system's, 2 dark, 3 light.
  const scheme = SCHEMES[color_scheme - 1] ?? ''
  if (scheme) document.documentElement.dataset.scheme = scheme
  else delete document.documentElement.dataset.scheme
  // For the frame that the next start draws before anything else (early.ts).
  store('look', { scheme, direction: document.documentElement.dir })
  document.documentElement.style.fontSize = fontSizeOf(web_font_size_px)
  applyDensity(web_line_height_percent)
  document.documentElement.toggleAttribute('data-fluid', fluid_layout_width === true)
  clock.isTwentyFourHours = twenty_four_hour_time || (readStored(twelveHoursKey()) ? false : undefined)
  clock.zone = timezone || undefined
}

/** Returns the settings, for a view that depends on them. */
export function settings(): typeof state.settings {
  watch('settings')
  return state.settings
}

/** Whole seconds, updated every half minute, for what fades with time. */
export const now = signal(Math.floor(Date.now() / 1_000))
setInterval(() => {
  now.value = Math.floor(Date.now() / 1_000)
}, 30_000)

/** Changes once a day, at midnight, since dates are named by their distance. */
export const today = computed(() => new Date(now.value * 1_000).toDateString())
