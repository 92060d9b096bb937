import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import {
  addLinkifier,
  changeLinkifier,
  type EnteredLinkifier,
  orderLinkifiers,
  removeLinkifier,
} from '../../actions/organization.ts'
import { state, watch } from '../../chat.ts'
import type { Linkifier } from '../../state/wire.ts'
import { s } from '../../texts/settings.ts'
import { t } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { OrderButtons } from '../../ui/order-buttons.tsx'
import { Part } from '../../ui/setting-row.tsx'
import { ActButton, ActForm } from '../../ui/use-action.tsx'
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
  const item = useRef<HTMLLIElement>(null)
  const wasChanging = useRef(false)
  // The focus follows from the button to the form, and back.
  useLayoutEffect(() => {
    if (isChanging) item.current?.querySelector('input')?.focus()
    else if (wasChanging.current) item.current?.querySelector<HTMLElement>('.item-end > .button')?.focus()
    wasChanging.current = isChanging
  }, [isChanging])
  if (isChanging) {
    return (
      <li ref={item} class="item">
        <LinkifierForm
          button={t.save}
          before={linkifier}
          onSave={(entered) => changeLinkifier(id, entered)}
          onEnd={() => setChanging(false)}
        />
      </li>
    )
  }
  return (
    <li ref={item} class="item">
      <span class="item-main settings-code">
        <code dir="ltr">{pattern}</code>
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
        <ActButton
          label={s.remove(pattern)}
          question={{
            title: s.organization.linkifierQuestion(pattern),
            text: s.organization.linkifierQuestionHint,
          }}
          onAct={() => refusalOf(removeLinkifier(id))}
        >
          {s.removeShort}
        </ActButton>
      </span>
    </li>
  )
}

interface LinkifierFormProps {
  readonly button: string
  readonly before?: Linkifier
  readonly onSave: (entered: EnteredLinkifier) => Promise<void>
  readonly onEnd?: () => void
}

function LinkifierForm({ button, before, onSave, onEnd }: LinkifierFormProps) {
  return (
    <ActForm
      button={button}
      onAct={(form) => refusalOf(onSave(enteredIn(form)))}
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
      <details class="settings-details" open={hasWayBack(before)}>
        <summary>{s.organization.wayBack}</summary>
        <p class="setting-hint">{s.organization.wayBackHint}</p>
        <label class="labelled">
          <span>{s.organization.reverse}</span>
          <input
            class="field"
            name="reverse"
            placeholder="#{id}"
            autocomplete="off"
            defaultValue={before?.reverse_template ?? ''}
          />
        </label>
        <label class="labelled">
          <span>{s.organization.example}</span>
          <input
            class="field"
            name="example"
            placeholder="#123"
            autocomplete="off"
            defaultValue={before?.example_input ?? ''}
          />
        </label>
        <label class="labelled">
          <span>{s.organization.alternatives}</span>
          <textarea
            class="field"
            name="alternatives"
            rows={2}
            autocomplete="off"
            defaultValue={before?.alternative_url_templates.join('\n')}
          />
        </label>
      </details>
    </ActForm>
  )
}

function enteredIn(form: FormData): EnteredLinkifier {
  const text = (name: string) => String(form.get(name)).trim()
  return {
    pattern: String(form.get('pattern')),
    url_template: String(form.get('template')),
    example_input: text('example'),
    reverse_template: text('reverse'),
    alternative_url_templates: text('alternatives')
      .split('\n')
      .map((address) => address.trim())
      .filter(Boolean),
  }
}

function hasWayBack(linkifier: Linkifier | undefined): boolean {
  if (!linkifier) return false
  const { example_input, alternative_url_templates } = linkifier
  return example_input !== null || alternative_url_templates.length > 0
}
