import { useEffect, useId, useState } from 'preact/hooks'
import {
  type changeIncomingWebhook,
  type IncomingWebhook,
  previewTemplate,
  type TemplatePreview,
} from '../../actions/bots.ts'
import { failureOf } from '../../actions/call.ts'
import { fromJson } from '../../api/json.ts'
import { failureText } from '../../texts/failure-text.ts'
import { s } from '../../texts/settings.ts'
import { Button } from '../../ui/button.tsx'
import { useSaving } from '../../ui/saving.ts'
import { Part, SaveMark } from '../../ui/setting-row.tsx'
import { HtmlText } from '../message/html-text.tsx'

/** Lengths, as on the server. */
const MAX_TOPIC_TEMPLATE = 300
const MAX_TEXT_TEMPLATE = 5_000
const MAX_SAMPLE = 100_000

/** Milliseconds without a key, after which the preview follows. */
const PAUSE = 400

/** The initial payload of the preview. */
export const SAMPLE = JSON.stringify(
  {
    title: 'Backup finished',
    url: 'https://example.com/runs/12',
    host: { name: 'db-1' },
    finished_at: 1_767_225_600,
    files: [{ name: 'users.db' }, { name: 'orders.db' }],
  },
  undefined,
  2,
)

type FieldName = 'topic' | 'text' | 'sample'
type Fields = Readonly<Record<FieldName, string>>

/** A preview, or what is wrong and with which field. */
type Outcome = TemplatePreview | { readonly at: FieldName | undefined; readonly problem: string }

type Changes = Parameters<typeof changeIncomingWebhook>[1]
/** Changes settings of the webhook. Resolves to the reason of a refusal. */
export type ChangeWebhook = (changes: Changes) => Promise<string | undefined>

interface TemplateEditorProps {
  readonly settings: IncomingWebhook
  readonly onChange: ChangeWebhook
  readonly sample: string
  readonly onSample: (sample: string) => void
}

/** Templates for posts of any service, and the message that they make of a sample. */
export function TemplateEditor({ settings, onChange, sample, onSample }: TemplateEditorProps) {
  const saved = { topic: settings.topic_template, text: settings.text_template }
  const [templates, setTemplates] = useState(saved)
  const fields: Fields = { ...templates, sample }
  const { preview, at, problem } = usePreview(fields)
  const { state, refusal, save } = useSaving(saved, ({ topic, text }) =>
    onChange({ topic_template: topic, text_template: text }),
  )
  const { topic, text } = templates
  const isChanged = topic !== saved.topic || text !== saved.text
  const field = (name: FieldName, maxLength: number, rows = 0) => (
    <TemplateField
      label={s.bots.template[name]}
      value={fields[name]}
      maxLength={maxLength}
      rows={rows}
      problem={at === name ? problem : ''}
      onInput={(value) =>
        name === 'sample' ? onSample(value) : setTemplates((before) => ({ ...before, [name]: value }))
      }
    />
  )
  return (
    <Part title={s.bots.template.title} hint={s.bots.template.hint}>
      <div class="webhook-template">
        <div>
          {field('topic', MAX_TOPIC_TEMPLATE)}
          {field('text', MAX_TEXT_TEMPLATE, 6)}
          <p class="setting-hint webhook-syntax">
            {s.bots.template.syntax.map(([code, words]) => (
              <span key={code}>
                <code dir="ltr">{code}</code> {words}
              </span>
            ))}
          </p>
        </div>
        <div>
          {field('sample', MAX_SAMPLE, 9)}
          <div class="small soft">{s.bots.template.preview}</div>
          <section
            class="webhook-preview"
            aria-label={s.bots.template.preview}
            data-old={problem !== ''}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: it may be longer than the space it has
            tabIndex={0}
          >
            {preview && (
              <>
                <strong dir="auto">{preview.topic || s.bots.ownTopic}</strong>
                <HtmlText html={preview.html} />
              </>
            )}
          </section>
          <p class="webhook-problem" role="alert">
            {at === undefined && problem}
          </p>
        </div>
      </div>
      <div class="webhook-save">
        <Button kind="main" disabled={!isChanged || state === 'saving'} onClick={() => save({ topic, text })}>
          {s.bots.template.save}
        </Button>
        <SaveMark state={state} />
        <span class="webhook-problem" role="alert">
          {refusal}
        </span>
      </div>
    </Part>
  )
}

/** Updates the preview, which stays at the last valid fields. */
function usePreview({ topic, text, sample }: Fields): {
  readonly preview: TemplatePreview | undefined
  readonly at: FieldName | undefined
  readonly problem: string
} {
  const [preview, setPreview] = useState<TemplatePreview>()
  const [wrong, setWrong] = useState<{ readonly at: FieldName | undefined; readonly problem: string }>()
  useEffect(() => {
    let isLatest = true
    const look = async () => {
      const outcome = await outcomeOf({ topic, text, sample })
      if (!isLatest) return
      if ('html' in outcome) setPreview(outcome)
      setWrong('html' in outcome ? undefined : outcome)
    }
    const timer = setTimeout(look, preview ? PAUSE : 0)
    return () => {
      isLatest = false
      clearTimeout(timer)
    }
  }, [topic, text, sample])
  return { preview, at: wrong?.at, problem: wrong?.problem ?? '' }
}

async function outcomeOf({ topic, text, sample }: Fields): Promise<Outcome> {
  try {
    fromJson(sample)
  } catch {
    return { at: 'sample', problem: s.bots.template.noJson }
  }
  try {
    return await previewTemplate(topic, text, sample)
  } catch (error) {
    const { text: said, isRefused } = failureOf(error)
    if (!isRefused) return { at: undefined, problem: failureText(error) }
    return { at: (await isRefusedAlone(topic, sample)) ? 'topic' : 'text', problem: said }
  }
}

/** A refusal does not say which of the two templates is wrong. */
async function isRefusedAlone(topic: string, sample: string): Promise<boolean> {
  try {
    await previewTemplate(topic, '', sample)
    return false
  } catch (error) {
    return failureOf(error).isRefused
  }
}

interface TemplateFieldProps {
  readonly label: string
  readonly value: string
  readonly maxLength: number
  /** 0: one line. */
  readonly rows: number
  readonly problem: string
  readonly onInput: (value: string) => void
}

/** A field with what is wrong in it below. The line has its place when it is empty too, so that nothing moves. */
function TemplateField({ label, value, maxLength, rows, problem, onInput }: TemplateFieldProps) {
  const id = useId()
  const shared = {
    id,
    class: 'field',
    value,
    maxLength,
    spellcheck: false,
    'aria-invalid': problem !== '' ? true : undefined,
    'aria-describedby': `${id}-problem`,
    onInput: (event: Event) => onInput((event.currentTarget as HTMLInputElement).value),
  }
  return (
    <div class="labelled">
      <label class="small soft" htmlFor={id}>
        {label}
      </label>
      {rows > 0 ? <textarea {...shared} rows={rows} /> : <input {...shared} autocomplete="off" />}
      <p id={`${id}-problem`} class="webhook-problem" role="alert">
        {problem}
      </p>
    </div>
  )
}
