import './styles/fonts.css'
import './styles/base.css'
import './ui/ui.css'
import { effect, signal } from '@preact/signals'
import { render } from 'preact'
import { api } from './actions/call.ts'
import { offerProofs } from './actions/proof.ts'
import { connection, follow, retryNow, snapshots } from './actions/session.ts'
import { state, watch } from './chat.ts'
import { followAddress, takeArriving } from './navigation.ts'
import { startServiceWorker } from './notifications/start-service-worker.ts'
import { chooseLanguage, t } from './texts/texts.ts'
import { Button } from './ui/button.tsx'
import { keepCompositionsApart } from './ui/composition.ts'
import { keepDropsHere } from './ui/drops.ts'
import { Empty } from './ui/empty.tsx'
import { onDemand } from './ui/on-demand.tsx'
import { StillFrame } from './ui/still-frame.tsx'
import { showTooltips } from './ui/tooltip.ts'
import { AppShell, loadFirstView } from './views/app-shell/app-shell.tsx'
import { startDesktopApp } from './views/app-shell/desktop-app.ts'
import { prefetchAddress } from './views/app-shell/prefetch.ts'
import { applyPreferences } from './views/preferences.ts'

const AuthPage = onDemand(() =>
  import('./views/auth-page/auth-page.tsx').then(({ AuthPage: authPage }) => authPage),
)

const isBegun = signal(false)

/** The auth page without a session, the app shell with one; text written in the app outlasts an ended session. */
function Page() {
  if (snapshots.value > 0) return <AppShell />
  if (connection.value.kind === 'session ended')
    return <AuthPage onEnter={begin} hasEnded={api.browserApi.csrfToken() !== ''} />
  if (connection.value.kind === 'stopped') return <AuthPage onEnter={() => location.reload()} />
  const { kind } = connection.value
  return kind === 'offline' || kind === 'waiting' ? <Unreachable /> : <StillFrame label={t.loading} />
}

/** Shown while the page is loaded but the server is unreachable, or refuses for now, with automatic retries. */
function Unreachable() {
  const { said } = connection.value
  return (
    <Empty title={said ? t.failed : t.auth.unreachable}>
      <p>{said ?? t.noConnection}</p>
      <Button onClick={retryNow}>{t.tryAgain}</Button>
    </Empty>
  )
}

const arriving = takeArriving()
await chooseLanguage(navigator.languages)
followAddress()
keepCompositionsApart()
keepDropsHere()
showTooltips()
startServiceWorker()
// Without the session's token there is no session, and no need to ask the server.
if (api.browserApi.csrfToken() === '') {
  connection.value = { kind: 'session ended' }
  import('./actions/kept-state.ts').then(({ clearSealed }) => clearSealed()).catch(() => {})
} else begin()
effect(() => {
  if (!isBegun.value) return
  watch('settings')
  applyPreferences()
})
const page = document.getElementById('page')!
// Removes the frame of index.html, behind which the room would be rendered otherwise.
page.replaceChildren()
render(<Page />, page)

function begin(): void {
  document.documentElement.classList.add('has-session')
  loadFirstView()
  follow({
    onFirst: async () => {
      prefetchAddress()
      await chooseLanguage([state.settings.default_language, ...navigator.languages])
      isBegun.value = true
      offerProofs()
      startDesktopApp()
      import('./views/app-shell/after-first.ts').then(({ startRest }) => startRest(arriving)).catch(() => {})
    },
  })
}
