import { s } from '../../texts/settings.ts'
import { Part } from '../../ui/setting-row.tsx'
import { ELSEWHERE } from './elsewhere-list.ts'

type Name = keyof typeof ELSEWHERE

/** Things that have no view here. */
export function ElsewhereSection() {
  return (
    <Part hint={s.elsewhere.hint}>
      <ul class="settings-elsewhere">
        {(Object.keys(ELSEWHERE) as Name[]).map((name) => (
          <li key={name}>{s.elsewhere.names[name]}</li>
        ))}
      </ul>
    </Part>
  )
}
