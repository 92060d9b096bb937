import { useState } from 'preact/hooks'
import {
  addLinkifier,
  changeLinkifier,
  orderLinkifiers,
  removeLinkifier,
} from '../../actions/organization.ts'
import { state, watch } from '../../chat.ts'
import type { Linkifier } from '../../state/wire.ts'
import { s } from '../../texts/settings.ts'
import { t } from '../../texts/texts.ts'
import { ActButton, ActForm } from '../../ui/acting.tsx'
import { Button } from '../../ui/button.tsx'
import { OrderButtons } from '../../ui/order-buttons.tsx'
import { Part } from '../../ui/setting-row.tsx'
import { refusalOf } from '../settings/fetched.tsx'

/** Patterns in messages that become links. */
export function LinkifiersSection() {
  watch('linkifiers')
  return (
    <Part hint={s.organization.linkifierHint}>
      <LinkifierForm button={s.add} onSave={addLinkifier} />
      {state.linkifiers.length === 0 ? (
        <p class="setting-nothing">{s.organization.noLinkifiers}</p>
      ) : (
        <ul class="items spaced">
          {state.linkifiers.map((linkifier) => (
            <LinkifierRow key={linkifier.id} linkifier={linkifier} />
          ))}
        </ul>
      )}
    </Part>
  )
}

function LinkifierRow({ linkifier }: { readonly linkifier: Linkifier }) {
  const { id, pattern, url_template } = linkifier
  const [isChanging, setChanging] = useState(false)
  if (isChanging) {
    return (
      <li class="item">
        <LinkifierForm
          button={t.save}
          before={linkifier}
          onSave={(...values) => changeLinkifier(id, ...values)}
          onEnd={() => setChanging(false)}
        />
      </li>
    )
  }
  return (
    <li class="item">
      <span class="item-main settings-code">
        <code>{pattern}</code>
        <span class="small soft">{url_template}</span>
      </span>
      <span class="item-end">
        <OrderButtons
          ids={state.linkifiers.map((one) => one.id)}
          id={id}
          name={pattern}
          onAct={(ids) => refusalOf(orderLinkifiers(ids))}
        />
        <Button label={`${s.change}: ${pattern}`} onClick={() => setChanging(true)}>
          {s.change}
        </Button>
        <ActButton label={s.remove(pattern)} onAct={() => refusalOf(removeLinkifier(id))}>
          {s.removeShort}
        </ActButton>
      </span>
    </li>
  )
}

interface LinkifierFormProps {
  readonly button: string
  readonly before?: Linkifier
  readonly onSave: (pattern: string, template: string) => Promise<void>
  readonly onEnd?: () => void
}

function LinkifierForm({ button, before, onSave, onEnd }: LinkifierFormProps) {
  return (
    <ActForm
      line={onEnd === undefined}
      button={button}
      onAct={(form) => refusalOf(onSave(String(form.get('pattern')), String(form.get('template'))))}
      onDone={onEnd}
      onCancel={onEnd}
    >
      <label class="labelled">
        <span>{s.organization.pattern}</span>
        <input
          class="field"
          name="pattern"
          required
          placeholder="#(?P<id>[0-9]+)"
          autocomplete="off"
          defaultValue={before?.pattern}
        />
      </label>
      <label class="labelled">
        <span>{s.organization.template}</span>
        <input
          class="field"
          name="template"
          required
          placeholder="https://example.com/{id}"
          autocomplete="off"
          defaultValue={before?.url_template}
        />
      </label>
    </ActForm>
  )
}
