import { s } from '../../texts/settings.ts'
import { Part } from '../../ui/setting-row.tsx'
import { ELSEWHERE } from './elsewhere-list.ts'

type Name = keyof typeof ELSEWHERE

/** Things that have no view here, and where they are in the API. */
export function ElsewhereSection() {
  return (
    <Part hint={s.elsewhere.hint}>
      <p>
        <a href="/api/v1/openapi.json">openapi.json</a>
      </p>
      <dl class="settings-elsewhere">
        {(Object.keys(ELSEWHERE) as Name[]).map((name) => (
          <div key={name}>
            <dt>{s.elsewhere.names[name]}</dt>
            <dd>
              {ELSEWHERE[name].map((address) => (
                <code key={address}>{address}</code>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Part>
  )
}
