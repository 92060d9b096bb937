import './app-shell.css'
import { effect } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { keptIds } from '../../actions/kept-edits.ts'
import { proofAsked } from '../../actions/proof.ts'
import { onNewMessage, resume, snapshots } from '../../actions/session.ts'
import { clearExpiredStatus } from '../../actions/status.ts'
import { state, watch } from '../../chat.ts'
import { address, isAbove, visit } from '../../navigation.ts'
import { PermissionLine } from '../../notifications/permission-line.tsx'
import { conversationKey, conversationOf } from '../../state/conversation.ts'
import { conversationOfNarrow } from '../../state/narrow.ts'
import { titleCount } from '../../state/unread.ts'
import type { Message } from '../../state/wire.ts'
import { t } from '../../texts/texts.ts'
import { Empty } from '../../ui/empty.tsx'
import { Icon } from '../../ui/icon.tsx'
import { onDemand } from '../../ui/on-demand.tsx'
import { Toasts } from '../../ui/toasts.tsx'
import { announcements, closeAnnouncement, spoken } from '../announcement.tsx'
import { NewMessage } from '../compose/compose.tsx'
import { isNewMessageOpen } from '../compose/compose-state.ts'
import { followMoves, useNamesInAddress } from '../conversation/follow.ts'
import { listenToKeys } from '../help/keyboard.ts'
import { safeNodes } from '../message/safe-html.ts'
import { close } from '../message/surface.ts'
import { Surfaces } from '../message/surfaces.tsx'
import { hasPeopleColumn, PeopleColumn, PeopleView } from '../people/people-column.tsx'
import { isGoToOpen, isHelpOpen, isPeopleShown, isSidebarOpen, now, ownDialog } from '../preferences.ts'
import { Sidebar } from '../sidebar/sidebar.tsx'
import { userName } from '../words.ts'
import { ConnectionLine } from './connection-line.tsx'
import { prefetchLinks } from './prefetch.ts'
import { sessionHasEnded } from './session-ended.ts'
import { titleOf } from './title.ts'
import { TopBar } from './top-bar.tsx'

const RefusedAddressLine = onDemand(() =>
  import('../../notifications/refused-address-line.tsx').then(({ RefusedAddressLine: line }) => line),
)
const UnconfirmedAddressLine = onDemand(() =>
  import('../../notifications/unconfirmed-address-line.tsx').then(({ UnconfirmedAddressLine: line }) => line),
)
const loadHelp = async () => {
  const help = await import('../help/help-sheet.tsx')
  await help.loadFrameTexts()
  return help
}
const HelpSheet = onDemand(async () => (await loadHelp()).HelpSheet)
const HelpView = onDemand(async () => (await loadHelp()).HelpView)
const GoTo = onDemand(async () => {
  const { GoTo: goTo, loadFrameTexts, loadSettingsTexts } = await import('../go-to/go-to.tsx')
  await Promise.all([loadFrameTexts(), loadSettingsTexts()])
  return goTo
})
const AuthPage = onDemand(() =>
  import('../auth-page/auth-page.tsx').then(({ AuthPage: authPage }) => authPage),
)
const ConversationView = onDemand(() =>
  import('../conversation/conversation-view.tsx').then(({ ConversationView: view }) => view),
)
const InboxView = onDemand(() => import('../inbox/inbox.tsx').then(({ InboxView: view }) => view))
const RecentView = onDemand(async () => {
  const { RecentView: view, loadReadingTexts } = await import('../inbox/recent-view.tsx')
  await loadReadingTexts()
  return view
})
const ActivityView = onDemand(async () => {
  const { ActivityView: view, loadReadingTexts } = await import('../activity/activity-view.tsx')
  await loadReadingTexts()
  return view
})
const FilesView = onDemand(async () => {
  const { FilesView: view, loadReadingTexts } = await import('../files/files-view.tsx')
  await loadReadingTexts()
  return view
})
const DraftsView = onDemand(async () => {
  const { DraftsView: view, loadComposeTexts } = await import('../compose/drafts-view.tsx')
  await loadComposeTexts()
  return view
})
const OwnDialog = onDemand(async () => {
  const { OwnDialog: dialog, loadFrameTexts } = await import('./own-dialogs.tsx')
  await loadFrameTexts()
  return dialog
})
const ProofDialog = onDemand(async () => {
  const { ProofDialog: dialog, loadSettingsTexts } = await import('./proof-dialog.tsx')
  await loadSettingsTexts()
  return dialog
})
const SettingsView = onDemand(async () => {
  const { SettingsView: view, loadSettingsTexts } = await import('../settings/settings-view.tsx')
  await loadSettingsTexts()
  return view
})
const UserView = onDemand(async () => {
  const { UserView: view, loadFrameTexts } = await import('../people/user-card.tsx')
  await loadFrameTexts()
  return view
})
const ChannelsView = onDemand(async () => {
  const { ChannelsView: view, loadSettingsTexts } = await import('../channels/channels-view.tsx')
  await loadSettingsTexts()
  return view
})

/** Loads the view that the page begins with while the snapshot is on its way. */
export function loadFirstView(): void {
  if (location.hash === '' || location.hash === '#inbox') InboxView.preload()
  else if (location.hash.startsWith('#narrow')) ConversationView.preload()
}

/** Milliseconds after which the other parts are loaded that a user may open: what is asked for at the beginning comes first. */
const AHEAD_AFTER_MS = 10_000

function loadOthersAhead(): () => void {
  const timer = setTimeout(
    () => import('./ahead.ts').then(({ loadAhead }) => loadAhead()).catch(() => {}),
    AHEAD_AFTER_MS,
  )
  return () => clearTimeout(timer)
}

/** Ends edits of messages that are gone; without a network, at the next start. */
async function rescueKeptEdits(): Promise<void> {
  if (keptIds().length === 0) return
  const { rescueEdits } = await import('../message/rescued-edits.ts')
  await rescueEdits()
}

/** Three columns: navigation, messages, people. */
export function AppShell() {
  useEffect(listenToKeys, [])
  // Back from what was opened first, whether or not there is a network then.
  useEffect(InboxView.preload, [])
  useEffect(ConversationView.preload, [])
  useEffect(prefetchLinks, [])
  useEffect(loadOthersAhead, [])
  useEffect(() => onNewMessage(announce), [])
  useEffect(followMoves, [])
  useEffect(() => void rescueKeptEdits().catch(() => {}), [])
  useEffect(
    () =>
      effect(() => {
        if (now.value > 0) clearExpiredStatus().catch(() => {})
      }),
    [],
  )
  // A surface above a view is closed with it, not when the view gets another name.
  useEffect(close, [visit.value])
  if (sessionHasEnded.value) return <AuthPage onEnter={resume} hasEnded />
  return (
    <div class="app-shell" data-above={isAbove(address.value) ? '' : undefined}>
      <button type="button" class="skip-link" onClick={() => document.getElementById('middle')?.focus()}>
        {t.skipToMessages}
      </button>
      <TopBar />
      <div class="lines">
        <ConnectionLine />
        <PermissionLine />
        {state.server.delivery_email_refused && <RefusedAddressLine />}
        {state.server.delivery_email_unconfirmed && <UnconfirmedAddressLine />}
      </div>
      <Sidebar />
      {isSidebarOpen.value && (
        <button
          type="button"
          class="veil"
          aria-label={t.close}
          onClick={() => {
            isSidebarOpen.value = false
          }}
        />
      )}
      <Middle key={snapshots.value} />
      {isPeopleShown() && hasPeopleColumn() && <PeopleColumn />}
      {isHelpOpen.value && <HelpSheet />}
      {isGoToOpen.value && <GoTo />}
      {ownDialog.value && <OwnDialog />}
      {proofAsked.value && <ProofDialog />}
      <Toasts shown={announcements.value} onClose={closeAnnouncement} />
      <Title />
      <div class="hidden-text" aria-live="polite">
        {spoken.value}
      </div>
    </div>
  )
}

function Middle() {
  const shown = address.value
  const hasBox = shown.view === 'narrow'
  useEffect(() => {
    if (hasBox) isNewMessageOpen.value = false
  }, [hasBox])
  return (
    <main id="middle" class="middle" tabIndex={-1}>
      {view()}
      {!hasBox && <NewMessage />}
      <Surfaces />
    </main>
  )

  function view() {
    switch (shown.view) {
      case 'narrow':
        return <ConversationView shown={shown} />
      case 'inbox':
        return <InboxView />
      case 'recent':
        return <RecentView />
      case 'activity':
        return <ActivityView />
      case 'files':
        return <FilesView shown={shown} />
      case 'drafts':
      case 'scheduled':
      case 'reminders':
        return <DraftsView />
      case 'settings':
      case 'organization':
      case 'groups':
        return <SettingsView />
      case 'user':
        return <UserView path={shown.path} />
      case 'channels':
        return <ChannelsView />
      case 'people':
        return <PeopleView />
      case 'help':
        return <HelpView />
      default:
        return (
          <>
            <header class="view-head">
              <h1>{t.notThere.title}</h1>
            </header>
            <Empty title={t.notThere.title}>
              <p>{t.notThere.text}</p>
              <p>
                <a class="button" href="#inbox">
                  <Icon name="inbox" />
                  {t.views.inbox}
                </a>
              </p>
            </Empty>
          </>
        )
    }
  }
}

/**
 * Announces new messages to screen readers: those of the present conversation, and others that are for the user.
 */
function announce(message: Message): void {
  const shown = address.value
  const here = shown.view === 'narrow' ? conversationOfNarrow(shown.narrow) : undefined
  const conversation = conversationOf(message, state.me)
  const isHere = here !== undefined && conversationKey(here) === conversationKey(conversation)
  const isForUser = message.type === 'private' || message.flags.includes('mentioned')
  if (!isHere && !isForUser) return
  const text = (safeNodes(message.content).textContent ?? '').slice(0, SPOKEN_CHARACTERS)
  const name = userName(message.sender_id)
  const channel = conversation.kind === 'topic' ? state.channels.get(conversation.channelId)?.name : undefined
  spoken.value =
    conversation.kind === 'topic' && channel !== undefined
      ? t.spoken.inTopic({ name, channel, topic: conversation.topic, text })
      : t.spoken.direct({ name, text })
}

const SPOKEN_CHARACTERS = 300

/** The window's title: the open view, then the number of new messages for the user. */
function Title() {
  watch('unread', 'organization', 'settings', 'channel', 'user')
  useNamesInAddress()
  const count = titleCount(state)
  const place = titleOf(address.value)
  const name = [place, state.organization.name].filter(Boolean).join(' · ')
  useEffect(() => {
    document.title = count > 0 ? `${name} (${count})` : name
  }, [count, name])
  return null
}
