import { s } from '../../texts/settings.ts'
import { Part } from '../../ui/setting-row.tsx'

/** What has no view here yet, and where it is in the API. */
const ELSEWHERE = [
  ['permissionLists', 'PATCH /realm, /streams/{stream_id}, /user_groups/{user_group_id}'],
  ['defaults', 'PATCH /realm/user_settings_defaults'],
  ['domains', 'POST /realm/domains'],
  ['playgrounds', 'POST /realm/playgrounds'],
  ['logo', 'POST /realm/logo'],
  ['uploads', 'GET /attachments'],
  ['order', 'PATCH /realm/linkifiers, /realm/profile_fields, /channel_folders'],
  ['botSettings', 'PATCH /bots/{bot_id}'],
] as const

export function ElsewhereSection() {
  return (
    <Part hint={s.elsewhere.hint}>
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
