import { s } from '../../texts/settings.ts'
import { Part } from '../../ui/setting-row.tsx'

/** What has no view here yet, and where it is in the API. */
const ELSEWHERE = [
  ['groups', 'GET /user_groups'],
  ['invitations', 'POST /invites, POST /invites/multiuse'],
  ['people', 'PATCH /users/{user_id}, DELETE /users/{user_id}'],
  ['organization', 'PATCH /realm'],
  ['customEmoji', 'POST /realm/emoji/{emoji_name}'],
  ['exports', 'POST /export/realm'],
  ['deadLetters', 'GET /dead_letters'],
] as const

export function ElsewhereSection() {
  return (
    <Part title={s.titles.elsewhere} hint={s.elsewhere.hint}>
      <p>
        <a href="/api/v1/openapi.json">openapi.json</a>
      </p>
      <dl class="settings-elsewhere">
        {ELSEWHERE.map(([name, place]) => (
          <div key={name}>
            <dt>{s.elsewhere.names[name]}</dt>
            <dd>
              <code>{place}</code>
            </dd>
          </div>
        ))}
      </dl>
    </Part>
  )
}
