import './styles/tokens.css'
import './styles/base.css'
import './ui/ui.css'
import { effect, signal } from '@preact/signals'
import { render } from 'preact'
import { api } from './actions/call.ts'
import { connection, follow, snapshots } from './actions/session.ts'
import { state, watch } from './chat.ts'
import { followAddress } from './navigation.ts'
import { chooseLanguage, t } from './texts/texts.ts'
import { Loading } from './ui/empty.tsx'
import { Door } from './views/door/door.tsx'
import { applyPreferences } from './views/preferences.ts'
import { Room } from './views/room/room.tsx'

const isBegun = signal(false)

/** The door without a session, the room with one; what was written in the room outlasts a session that ended. */
function Page() {
  if (snapshots.value > 0) return <Room />
  if (connection.value.kind === 'session ended') return <Door onEnter={begin} />
  if (connection.value.kind === 'stopped') return <Door onEnter={() => location.reload()} />
  return <Loading label={t.loading} />
}

await chooseLanguage(navigator.languages)
followAddress()
// Without the token that comes with a session there is none, and nothing to ask the server.
if (api.surroundings.csrfToken() === '') connection.value = { kind: 'session ended' }
else begin()
effect(() => {
  if (!isBegun.value) return
  watch('settings')
  applyPreferences()
})
render(<Page />, document.getElementById('page')!)

function begin(): void {
  follow({
    onFirst: async () => {
      await chooseLanguage([state.settings.default_language, ...navigator.languages])
      isBegun.value = true
    },
  })
}
