import {
  actOnImport,
  decideImport,
  type Import,
  type ReadImport,
  runImport,
  separateImport,
} from '../../actions/imports.ts'
import { s } from '../../texts/settings.ts'
import { locale } from '../../texts/texts.ts'
import { SwitchRow, TextRow } from '../../ui/setting-row.tsx'
import { sizeOf } from '../../ui/size.ts'
import { ActButton } from '../../ui/use-action.tsx'
import { refusalOf } from '../settings/fetched.tsx'
import { ChannelChoices, FieldChoices, UserChoices } from './import-choices.tsx'
import { Counts, MissingEmoji, Problems } from './import-report.tsx'

interface WaitingImportProps {
  readonly of: ReadImport
  /** The import that this one may continue; undefined where the list of imports no longer has it. */
  readonly earlier: Import | undefined
  readonly onChange: () => Promise<void>
}

/** An import that has been read, with its report and the decisions of an owner. */
export function WaitingImport({ of, earlier, onChange }: WaitingImportProps) {
  const { id, name, mapping, report, estimate, earlier_import_id } = of
  const then = async (action: Promise<void>) => {
    const refusal = await refusalOf(action)
    if (refusal === undefined) await onChange()
    return refusal
  }
  return (
    <>
      <h3>{s.imports.ready(name)}</h3>
      <Counts title={s.imports.found} counts={report.found.length > 0 ? report.found : report.records} />
      {report.found.some(({ name }) => name === 'people without an address') && (
        <p class="setting-hint">{s.imports.noAddressHint}</p>
      )}
      <MissingEmoji of={of} />
      <Counts title={s.imports.passedOver} hint={s.imports.passedOverHint} counts={report.passed_over} />
      <Problems of={of} />
      {estimate &&
        estimateInWords(estimate).map((words) => (
          <p key={words} class="import-estimate">
            {words}
          </p>
        ))}
      {estimate && earlier_import_id !== null && <p class="import-estimate">{s.imports.estimateOfAll}</p>}
      <SwitchRow
        label={s.imports.privateChannels}
        value={mapping.private_channels}
        onSave={(private_channels) => then(decideImport(id, { private_channels }))}
      />
      <SwitchRow
        label={s.imports.directMessages}
        value={mapping.direct_messages}
        onSave={(direct_messages) => then(decideImport(id, { direct_messages }))}
      />
      <SwitchRow
        label={s.imports.settings}
        hint={s.imports.settingsHint}
        value={mapping.settings}
        onSave={(settings) => then(decideImport(id, { settings }))}
      />
      <TextRow
        label={s.imports.topic}
        value={mapping.topic}
        required
        onSave={(topic) => then(decideImport(id, { topic }))}
      />
      <div key={earlier_import_id}>
        <UserChoices of={of} onChange={onChange} />
        <ChannelChoices of={of} onChange={onChange} />
        <FieldChoices of={of} onChange={onChange} />
      </div>
      {earlier_import_id !== null && <p>{s.imports.earlier(earlier?.name ?? name)}</p>}
      {of.is_older && <p>{s.imports.olderHint}</p>}
      <p class="import-buttons">
        <RunButtons of={of} then={then} />
        <ActButton
          question={{
            title: s.imports.cancelQuestion,
            text: s.imports.cancelWaiting,
            no: s.imports.dontCancel,
          }}
          kind="danger"
          onAct={() => then(actOnImport(id, 'cancel'))}
        >
          {s.imports.cancel}
        </ActButton>
      </p>
    </>
  )
}

interface RunButtonsProps {
  readonly of: ReadImport
  readonly then: (action: Promise<void>) => Promise<string | undefined>
}

function RunButtons({ of: { id, earlier_import_id }, then }: RunButtonsProps) {
  const isContinued = earlier_import_id !== null
  return (
    <>
      <ActButton
        kind="main"
        question={{ title: s.imports.runQuestion, text: s.imports.runHint }}
        onAct={() => then(runImport(id, isContinued))}
      >
        {isContinued ? s.imports.same : s.imports.run}
      </ActButton>
      {isContinued && (
        <ActButton
          question={{ title: s.imports.anotherQuestion, text: s.imports.anotherHint }}
          onAct={() => then(separateImport(id))}
        >
          {s.imports.another}
        </ActButton>
      )}
    </>
  )
}

function durationOf(minutes: number): string {
  const { duration } = s.imports
  return minutes < 120 ? duration.minutes(minutes) : duration.hours(Math.round(minutes / 60))
}

function estimateInWords(estimate: NonNullable<ReadImport['estimate']>): string[] {
  const money = new Intl.NumberFormat(locale(), { style: 'currency', currency: 'USD' })
  const rows = estimate.object_rows + estimate.d1_rows
  return [
    s.imports.estimateOf({
      time: durationOf(Math.ceil(estimate.seconds / 60)),
      once: money.format(estimate.dollars_once),
      monthly: money.format(estimate.dollars_a_month),
    }),
    s.imports.estimateRows({
      rows: new Intl.NumberFormat(locale()).format(rows),
      database: sizeOf(estimate.d1_bytes),
      files: sizeOf(estimate.file_bytes),
    }),
  ]
}
