import './webhook.css'
import { useState } from 'preact/hooks'
import {
  changeIncomingWebhook,
  type IncomingDelivery,
  type IncomingWebhook,
  loadBotKey,
  loadIncomingWebhook,
} from '../../actions/bots.ts'
import { state } from '../../chat.ts'
import { guideOf } from '../../texts/service-guide.ts'
import { s } from '../../texts/settings.ts'
import { t } from '../../texts/texts.ts'
import { Loading } from '../../ui/empty.tsx'
import { Part, SwitchRow } from '../../ui/setting-row.tsx'
import { ago } from '../../ui/time.tsx'
import { ActButton, ActForm } from '../../ui/use-action.tsx'
import { ConnectService, TEMPLATE, withCode } from './connect-service.tsx'
import { FetchFailed, refusalOf, useFetched } from './fetched.tsx'
import { type ChangeWebhook, SAMPLE, TemplateEditor } from './webhook-template.tsx'

/** Length of a secret, as on the server. */
const MAX_SECRET = 500

/** The settings of an incoming webhook for its owner: address, messages and secret. */
export function IncomingWebhookParts({
  botId,
  shownKey,
}: {
  readonly botId: number
  readonly shownKey: string
}) {
  const fetched = useFetched(() => loadIncomingWebhook(botId), [botId])
  const { value, refusal } = fetched
  return (
    <div class="webhook-parts">
      {value ? (
        <Parts botId={botId} shownKey={shownKey} before={value} />
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
  readonly shownKey: string
  readonly before: IncomingWebhook
}

function Parts({ botId, shownKey, before }: PartsProps) {
  const [key, setKey] = useState(shownKey)
  const [settings, setSettings] = useState(before)
  const hasTemplate = before.text_template !== '' || before.topic_template !== ''
  const [service, setService] = useState(hasTemplate ? TEMPLATE : before.deliveries[0]?.integration)
  const [sample, setSample] = useState(SAMPLE)
  const reload = async () => {
    setSettings(await loadIncomingWebhook(botId))
  }
  const change: ChangeWebhook = (changes) =>
    refusalOf(changeIncomingWebhook(botId, changes).then(setSettings))
  return (
    <>
      <ConnectService
        botId={botId}
        botKey={key}
        onShowKey={() => loadBotKey(botId).then(setKey)}
        service={service}
        onService={setService}
        sample={sample}
        onPosted={reload}
      />
      {service === TEMPLATE && (
        <TemplateEditor settings={settings} onChange={change} sample={sample} onSample={setSample} />
      )}
      <Secret service={service} count={settings.secrets} onChange={change} />
      <Part title={s.bots.mentions}>
        <SwitchRow
          label={s.bots.allowsMentions}
          hint={s.bots.allowsMentionsHint}
          value={settings.allows_mentions}
          onSave={(allows_mentions) => change({ allows_mentions })}
        />
      </Part>
      <LastPosts deliveries={settings.deliveries} onReload={reload} />
    </>
  )
}

interface LastPostsProps {
  readonly deliveries: readonly IncomingDelivery[]
  readonly onReload: () => Promise<unknown>
}

/** The last posts of services, with their outcomes. */
function LastPosts({ deliveries, onReload }: LastPostsProps) {
  const { title, nothing, outcomes } = s.bots.incoming
  return (
    <Part title={title}>
      <ActButton onAct={() => refusalOf(onReload())}>{s.bots.reload}</ActButton>
      {deliveries.length === 0 && <p class="setting-nothing">{nothing}</p>}
      {deliveries.length > 0 && (
        <ul class="items spaced">
          {deliveries.map(({ timestamp, integration, event, outcome, error }, at) => (
            <li key={at} class="item">
              <span class="item-main">
                {outcomes[outcome]} · {nameOfService(integration)}
                {event !== '' && ` · ${event}`}
                <span class="small soft">
                  {ago(timestamp)}
                  {error !== null && ' · '}
                  {error !== null && <bdi>{error}</bdi>}
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </Part>
  )
}

function nameOfService(integration: string): string {
  return state.integrations.find(({ name }) => name === integration)?.display_name ?? integration
}

/** Returns a sentence about where the service has its secret. */
function signatureOf(service: string) {
  const where = guideOf(service)?.secret
  const name = service === TEMPLATE ? s.bots.otherService : nameOfService(service)
  return where === undefined ? s.bots.signsNothing(name) : withCode(s.bots.signs({ service: name, where }))
}

interface SecretProps {
  /** The service that is being connected; undefined before it is chosen. */
  readonly service: string | undefined
  readonly count: number
  readonly onChange: ChangeWebhook
}

function Secret({ service, count, onChange }: SecretProps) {
  return (
    <Part title={s.bots.secret} hint={s.bots.incomingSecretHint}>
      {service !== undefined && <p>{signatureOf(service)}</p>}
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
