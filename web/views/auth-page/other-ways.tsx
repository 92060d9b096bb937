import type { OtherWay } from '../../api/log-in.ts'
import { t } from '../../texts/texts.ts'

/** Links to the log-ins elsewhere, which lead back to the place that this page shows. */
export function OtherWays({ ways }: { readonly ways: readonly OtherWay[] }) {
  const next = new URLSearchParams({ next: `${location.pathname}${location.search}${location.hash}` })
  return ways.map(({ display_name, login_url }) => (
    <p class="auth-way" key={login_url}>
      <a class="button" href={`${login_url}?${next}`}>
        {t.auth.logInWith(display_name)}
      </a>
    </p>
  ))
}
