import './settings.css'
import { useState } from 'preact/hooks'
import { changeSettings, setStatus } from '../../actions/personal.ts'
import { state, watch } from '../../chat.ts'
import { LANGUAGE_NAMES, t } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { attempt, tell } from '../notice.tsx'

/** Settings that are on or off, by their API names. */
const SWITCHES = [
  'enter_sends',
  'twenty_four_hour_time',
  'starred_message_counts',
  'display_emoji_reaction_users',
  'enable_drafts_synchronization',
  'send_private_typing_notifications',
  'send_stream_typing_notifications',
  'send_read_receipts',
  'presence_enabled',
] as const

/** What has no view here yet, and where it is in the API. */
const ELSEWHERE = [
  ['profile', 'PATCH /settings, PATCH /users/me/profile_data, POST /users/me/avatar'],
  ['notifications', 'PATCH /settings'],
  ['alertWords', 'POST /users/me/alert_words'],
  ['sessions', 'GET /browser_sessions'],
  ['apiKey', 'POST /users/me/api_key/regenerate'],
  ['bots', 'GET /bots, POST /bots'],
  ['groups', 'GET /user_groups'],
  ['invitations', 'POST /invites, POST /invites/multiuse'],
  ['people', 'PATCH /users/{user_id}, DELETE /users/{user_id}'],
  ['organization', 'PATCH /realm'],
  ['customEmoji', 'POST /realm/emoji/{emoji_name}'],
  ['exports', 'POST /export/realm'],
  ['deadLetters', 'GET /dead_letters'],
] as const

/** How the page behaves for oneself. */
export function SettingsView() {
  watch('settings', `status ${state.me}`)
  const [status, setStatusText] = useState(state.statuses.get(state.me)?.status_text ?? '')
  const { settings } = state
  const choose = (name: string, value: unknown) => attempt(changeSettings({ [name]: value }))
  return (
    <>
      <header class="view-head">
        <Icon name="gear" />
        <h1>{t.views.settings}</h1>
      </header>
      <div class="view-scroll">
        <div class="view-inner settings">
          <form
            class="settings-status"
            onSubmit={(event) => {
              event.preventDefault()
              attempt(setStatus(status.trim()).then(() => tell(t.settings.saved)))
            }}
          >
            <label class="labelled">
              <span>{t.settings.status}</span>
              <input
                class="field"
                maxLength={60}
                value={status}
                onInput={(event) => setStatusText(event.currentTarget.value)}
              />
            </label>
            <Button type="submit">{t.save}</Button>
          </form>
          <h2>{t.settings.display}</h2>
          <label class="labelled">
            <span>{t.settings.scheme}</span>
            <select
              class="field"
              value={settings.color_scheme}
              onChange={(event) => choose('color_scheme', Number(event.currentTarget.value))}
            >
              {([1, 3, 2] as const).map((scheme) => (
                <option key={scheme} value={scheme}>
                  {t.schemes[scheme]}
                </option>
              ))}
            </select>
          </label>
          <label class="labelled">
            <span>{t.settings.language}</span>
            <select
              class="field"
              value={settings.default_language}
              onChange={async (event) => {
                if ((await choose('default_language', event.currentTarget.value)) !== null) location.reload()
              }}
            >
              {Object.entries(LANGUAGE_NAMES).map(([language, name]) => (
                <option key={language} value={language} lang={language}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          <label class="labelled">
            <span>{t.settings.homeView}</span>
            <select
              class="field"
              value={settings.web_home_view}
              onChange={(event) => choose('web_home_view', event.currentTarget.value)}
            >
              <option value="inbox">{t.views.inbox}</option>
              <option value="recent">{t.views.recent}</option>
              <option value="all_messages">{t.views.feed}</option>
            </select>
          </label>
          <div class="settings-switches">
            {SWITCHES.map((name) => (
              <label key={name} class="check">
                <input
                  type="checkbox"
                  checked={settings[name] === true}
                  onChange={(event) => choose(name, event.currentTarget.checked)}
                />
                {t.settings.switches[name]}
              </label>
            ))}
          </div>
          <h2>{t.settings.elsewhere}</h2>
          <p class="soft">
            {t.settings.elsewhereHint} <a href="/api/v1/openapi.json">openapi.json</a>
          </p>
          <dl class="settings-elsewhere">
            {ELSEWHERE.map(([name, place]) => (
              <div key={name}>
                <dt>{t.settings.names[name]}</dt>
                <dd>
                  <code>{place}</code>
                </dd>
              </div>
            ))}
          </dl>
        </div>
      </div>
    </>
  )
}
