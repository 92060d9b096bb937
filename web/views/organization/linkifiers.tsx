import { addLinkifier, orderLinkifiers, removeLinkifier } from '../../actions/organization.ts'
import { state, watch } from '../../chat.ts'
import { s } from '../../texts/settings.ts'
import { ActButton, ActForm } from '../../ui/acting.tsx'
import { OrderButtons } from '../../ui/order-buttons.tsx'
import { Part } from '../../ui/setting-row.tsx'
import { refusalOf } from '../settings/fetched.tsx'

/** Patterns in messages that become links. */
export function LinkifiersSection() {
  watch('linkifiers')
  return (
    <Part hint={s.organization.linkifierHint}>
      <ActForm
        line
        button={s.add}
        onAct={(form) => refusalOf(addLinkifier(String(form.get('pattern')), String(form.get('template'))))}
      >
        <label class="labelled">
          <span>{s.organization.pattern}</span>
          <input class="field" name="pattern" required placeholder="#(?P<id>[0-9]+)" autocomplete="off" />
        </label>
        <label class="labelled">
          <span>{s.organization.template}</span>
          <input
            class="field"
            name="template"
            required
            placeholder="https://example.com/{id}"
            autocomplete="off"
          />
        </label>
      </ActForm>
      {state.linkifiers.length === 0 ? (
        <p class="setting-nothing">{s.organization.noLinkifiers}</p>
      ) : (
        <ul class="items spaced">
          {state.linkifiers.map(({ id, pattern, url_template }) => (
            <li key={id} class="item">
              <span class="item-main settings-code">
                <code>{pattern}</code>
                <span class="small soft">{url_template}</span>
              </span>
              <span class="item-end">
                <OrderButtons
                  ids={state.linkifiers.map((linkifier) => linkifier.id)}
                  id={id}
                  name={pattern}
                  onAct={(ids) => refusalOf(orderLinkifiers(ids))}
                />
                <ActButton label={s.remove(pattern)} onAct={() => refusalOf(removeLinkifier(id))}>
                  {s.removeShort}
                </ActButton>
              </span>
            </li>
          ))}
        </ul>
      )}
    </Part>
  )
}
