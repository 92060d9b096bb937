import { addDomain, changeDomain, removeDomain } from '../../actions/organization.ts'
import { state, watch } from '../../chat.ts'
import { isOwner } from '../../state/own-permissions.ts'
import { s } from '../../texts/settings.ts'
import { Part, SwitchRow } from '../../ui/setting-row.tsx'
import { ActButton, ActForm } from '../../ui/use-action.tsx'
import { refusalOf, undoable } from '../settings/fetched.tsx'

/** Allowed domains of addresses, while joining is restricted to them. */
export function Domains() {
  watch('domains', 'organization', 'me')
  const mayChange = isOwner(state)
  const domains = state.domains.toSorted((a, b) => a.domain.localeCompare(b.domain))
  return (
    <Part
      title={s.organization.domains}
      hint={state.organization.emails_restricted_to_domains ? undefined : s.organization.domainsHint}
    >
      {domains.length === 0 && (
        <p class="setting-nothing">
          {state.organization.emails_restricted_to_domains
            ? s.organization.noDomainAllowed
            : s.organization.noDomains}
        </p>
      )}
      {domains.map(({ domain, allow_subdomains }) => (
        <div key={domain} class="settings-field">
          <SwitchRow
            label={s.organization.withSubdomains(domain)}
            value={allow_subdomains}
            disabled={!mayChange}
            onSave={(value) => refusalOf(changeDomain(domain, value))}
          />
          {mayChange && (
            <ActButton
              label={s.remove(domain)}
              onAct={() =>
                undoable(removeDomain(domain), s.removed(domain), () => addDomain(domain, allow_subdomains))
              }
            >
              {s.removeShort}
            </ActButton>
          )}
        </div>
      ))}
      {mayChange && (
        <ActForm
          line
          button={s.add}
          onAct={(form) =>
            refusalOf(addDomain(String(form.get('domain')).trim(), form.get('subdomains') !== null))
          }
        >
          <label class="labelled">
            <span>{s.organization.domain}</span>
            <input
              class="field"
              name="domain"
              required
              maxLength={253}
              placeholder="example.com"
              autocomplete="off"
            />
          </label>
          <label class="check">
            <input type="checkbox" name="subdomains" />
            <span>{s.organization.subdomains}</span>
          </label>
        </ActForm>
      )}
    </Part>
  )
}
