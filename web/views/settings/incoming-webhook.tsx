import './webhook.css'
import { useState } from 'preact/hooks'
import {
  changeIncomingWebhook,
  type IncomingWebhook,
  loadBotKey,
  loadIncomingWebhook,
} from '../../actions/bots.ts'
import { state } from '../../chat.ts'
import { s } from '../../texts/settings.ts'
import { t } from '../../texts/texts.ts'
import { ActButton, ActForm } from '../../ui/acting.tsx'
import { Loading } from '../../ui/empty.tsx'
import { Part, SwitchRow } from '../../ui/setting-row.tsx'
import { ConnectService, TEMPLATE } from './connect-service.tsx'
import { FetchFailed, refusalOf, useFetched } from './fetched.tsx'
import { TemplateEditor } from './webhook-template.tsx'

/** Length of a secret, as on the server. */
const MAX_SECRET = 500

type Changes = Parameters<typeof changeIncomingWebhook>[1]
/** Changes settings. Resolves to the reason of a refusal. */
export type ChangeWebhook = (changes: Changes) => Promise<string | undefined>

/** What the owner of an incoming webhook does to connect a service: its address, its messages, its secret. */
export function IncomingWebhookParts({ botId }: { readonly botId: number }) {
  const fetched = useFetched(
    () => Promise.all([loadBotKey(botId), loadIncomingWebhook(botId)] as const),
    [botId],
  )
  const { value, refusal } = fetched
  return (
    <div class="webhook-parts">
      {value ? (
        <Parts botId={botId} apiKey={value[0]} before={value[1]} />
      ) : refusal === undefined ? (
        <Loading label={t.loading} />
      ) : (
        <FetchFailed of={fetched} />
      )}
    </div>
  )
}

interface PartsProps {
  readonly botId: number
  readonly apiKey: string
  readonly before: IncomingWebhook
}

function Parts({ botId, apiKey, before }: PartsProps) {
  const [settings, setSettings] = useState(before)
  const hasTemplate = before.text_template !== '' || before.topic_template !== ''
  const [service, setService] = useState(hasTemplate ? TEMPLATE : state.integrations[0]!.name)
  const change: ChangeWebhook = (changes) =>
    refusalOf(changeIncomingWebhook(botId, changes).then(setSettings))
  return (
    <>
      <ConnectService apiKey={apiKey} service={service} onService={setService} />
      {service === TEMPLATE && <TemplateEditor settings={settings} onChange={change} />}
      <Secret count={settings.secrets} onChange={change} />
      <Part title={s.bots.mentions}>
        <SwitchRow
          label={s.bots.allowsMentions}
          hint={s.bots.allowsMentionsHint}
          value={settings.allows_mentions}
          onSave={(allows_mentions) => change({ allows_mentions })}
        />
      </Part>
    </>
  )
}

function Secret({ count, onChange }: { readonly count: number; readonly onChange: ChangeWebhook }) {
  return (
    <Part title={s.bots.secret} hint={s.bots.incomingSecretHint}>
      <p role="status">{s.bots.secrets(count)}</p>
      <ActForm
        button={count === 0 ? s.bots.setSecret : s.bots.replaceSecret}
        onAct={(form) =>
          onChange({
            secret: String(form.get('secret')),
            keep_previous_secret: form.get('keep') !== null,
          })
        }
      >
        <label class="labelled">
          <span>{s.bots.newSecret}</span>
          <input
            class="field"
            name="secret"
            required
            maxLength={MAX_SECRET}
            autocomplete="off"
            spellcheck={false}
          />
        </label>
        {count > 0 && (
          <label class="check">
            <input type="checkbox" name="keep" defaultChecked />
            {s.bots.keepSecret}
          </label>
        )}
      </ActForm>
      {count > 0 && (
        <ActButton
          kind="danger"
          question={{ title: s.bots.removeSecretQuestion, text: s.bots.removeSecretHint }}
          onAct={() => onChange({ secret: '' })}
        >
          {s.bots.removeSecret}
        </ActButton>
      )}
    </Part>
  )
}
