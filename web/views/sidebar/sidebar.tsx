import './sidebar.css'
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { state, watch } from '../../chat.ts'
import { address, hrefOf } from '../../navigation.ts'
import { COMBINED_FEED, channelOfNarrow, type Narrow, STARRED } from '../../state/narrow.ts'
import { totalUnread, unreadMentions } from '../../state/unread.ts'
import { t } from '../../texts/texts.ts'
import { Count } from '../../ui/empty.tsx'
import { FilterField } from '../../ui/filter-field.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { tip } from '../../ui/tooltip.ts'
import { composeToChannel, draftsHere } from '../compose/compose-state.ts'
import { isNarrow, isSidebarOpen } from '../preferences.ts'
import { SavedSearches } from '../search/saved-searches.tsx'
import { Channels } from './channel-list.tsx'
import { DirectMessages } from './direct-messages.tsx'
import { ResizeHandle } from './resize-handle.tsx'
import { OpenRowMenu } from './row.tsx'
import { isShown } from './section.tsx'
import { filter } from './sidebar-state.ts'

/** Height of the views as icons, which the style sheet has too. */
const VIEWS_ROW_PX = 40

/** Everything that the user can open, with the number of new messages. */
export function Sidebar() {
  const isOpen = isSidebarOpen.value
  const hasViews = filter.value.trim() === ''
  // Once the links to the views are scrolled away, the space that they had: they are icons in one row then, which stays.
  const [viewsPx, setViewsPx] = useState(0)
  const isScrolled = hasViews && viewsPx > 0
  const kinds = ['sidebar', isOpen && 'sidebar-open', isScrolled && 'sidebar-scrolled']
  return (
    <>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: links in it are pressed by keys too, which clicks them */}
      <nav
        id="sidebar"
        class={kinds.filter(Boolean).join(' ')}
        aria-label={t.sidebar.label}
        style={{ '--views': `${viewsPx}px` }}
        onScroll={({ currentTarget: nav }) => {
          const px = viewsPx || (nav.querySelector<HTMLElement>('.sidebar-views')?.offsetHeight ?? 0)
          setViewsPx(nav.scrollTop > px - VIEWS_ROW_PX ? px : 0)
        }}
        onScrollEnd={({ currentTarget: nav }) => settle(nav)}
        onClick={(event) => {
          if ((event.target as Element).closest('a')) isSidebarOpen.value = false
        }}
      >
        <Head />
        {hasViews && <Views areIcons={isScrolled} />}
        {hasViews && <SavedSearches />}
        <DirectMessages />
        <Channels />
        <Reveal />
        {!isNarrow.value && <ResizeHandle />}
      </nav>
      <OpenRowMenu />
    </>
  )
}

/** Leaves no view half below the head: all are shown, or their icons. `shows`: whether it was scrolled to show something, which stays in view. */
function settle(nav: HTMLElement, shows = false): void {
  const px = nav.querySelector<HTMLElement>('.sidebar-views')?.offsetHeight ?? 0
  const end = px - VIEWS_ROW_PX + 1
  const { scrollTop, scrollHeight, clientHeight } = nav
  if (scrollTop === 0 || scrollTop >= end || scrollHeight - clientHeight < end) return
  nav.scrollTo(0, shows || scrollTop > end / 2 ? end : 0)
}

/** Scrolls the sidebar to the row of what is open; its topics may come later. */
function Reveal() {
  const shown = address.value
  const channelId = (shown.view === 'narrow' ? channelOfNarrow(shown.narrow) : undefined) ?? 0
  watch(`topics of channel ${channelId}`)
  const isComplete = state.topics.get(channelId)?.isComplete
  useEffect(() => {
    const nav = document.getElementById('sidebar')
    nav?.querySelector('[aria-current="page"]')?.scrollIntoView({ block: 'nearest' })
    if (nav) settle(nav, true)
  }, [shown, isComplete, isSidebarOpen.value])
  return null
}

function Head() {
  return (
    <div class="sidebar-head">
      <button
        type="button"
        class="button button-main"
        {...tip(t.sidebar.newMessage, 'c')}
        onClick={() => {
          isSidebarOpen.value = false
          composeToChannel()
        }}
      >
        <Icon name="compose" />
        {t.sidebar.newMessage}
      </button>
      <FilterField
        class="sidebar-filter"
        label={t.sidebar.filter}
        value={filter.value}
        onFilter={(words) => {
          filter.value = words
        }}
      />
    </div>
  )
}

function Views({ areIcons }: { readonly areIcons: boolean }) {
  watch('unread', 'stars', 'settings', 'drafts', 'scheduled', 'reminders')
  const { view } = address.value
  const total = totalUnread(state)
  const later = state.drafts.size + draftsHere().length + state.scheduled.size + state.reminders.size
  const stars = state.settings.starred_message_counts ? state.starred.size : 0
  return (
    <ul class="sidebar-views">
      <ViewLink isIcon={areIcons} icon="inbox" href="#inbox" isChosen={view === 'inbox'} name={t.views.inbox}>
        <Count count={total.count} label={t.unread(total.count)} />
      </ViewLink>
      <ViewLink
        isIcon={areIcons}
        icon="recent"
        href="#recent"
        isChosen={view === 'recent'}
        name={t.views.recent}
      />
      <NarrowLink isIcon={areIcons} icon="feed" narrow={COMBINED_FEED} name={t.views.feed} />
      <ViewLink
        isIcon={areIcons}
        icon="at"
        href="#activity"
        isChosen={view === 'activity'}
        name={t.views.activity}
      >
        <Count count={unreadMentions(state).length} strong label={t.unread(unreadMentions(state).length)} />
      </ViewLink>
      <NarrowLink isIcon={areIcons} icon="star" narrow={STARRED} name={t.views.starred}>
        <Count count={stars} label={t.starredCount(stars)} />
      </NarrowLink>
      <ViewLink
        isIcon={areIcons}
        icon="later"
        href="#drafts"
        isChosen={view === 'drafts' || view === 'scheduled' || view === 'reminders'}
        name={t.views.drafts}
      >
        <Count count={later} label={t.laterCount(later)} />
      </ViewLink>
    </ul>
  )
}

interface ViewLinkProps {
  /** Its name is a tooltip then. */
  readonly isIcon: boolean
  readonly icon: IconName
  readonly href: string
  readonly isChosen: boolean
  readonly name: string
  readonly children?: ComponentChildren
}

function ViewLink({ isIcon, icon, href, isChosen, name, children }: ViewLinkProps) {
  return (
    <li>
      <a
        class="sidebar-row"
        href={href}
        aria-current={isChosen ? 'page' : undefined}
        {...(isIcon && tip(name))}
      >
        <Icon name={icon} />
        <span class="one-line">{name}</span>
        {children}
      </a>
    </li>
  )
}

function NarrowLink({
  narrow,
  ...props
}: Omit<ViewLinkProps, 'href' | 'isChosen'> & { readonly narrow: Narrow }) {
  return <ViewLink {...props} href={hrefOf(narrow)} isChosen={isShown(narrow)} />
}
