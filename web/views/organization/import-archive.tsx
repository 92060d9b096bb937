import {
  type Archive,
  beginImport,
  removeArchive,
  runningUpload,
  sendArchive,
  uploadRefusal,
} from '../../actions/imports.ts'
import { s } from '../../texts/settings.ts'
import { locale } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { FileButton } from '../../ui/file-button.tsx'
import { Refusal } from '../../ui/refusal.tsx'
import { sizeOf } from '../../ui/size.ts'
import { ActButton } from '../../ui/use-action.tsx'
import { refusalOf } from '../settings/fetched.tsx'

interface ArchivePartProps {
  readonly archive: Archive | null
  readonly onChange: () => Promise<void>
}

/** The archive: chosen, uploading, or complete. */
export function ArchivePart({ archive, onChange }: ArchivePartProps) {
  const running = runningUpload.value
  if (running) {
    const { name, size, part, stop } = running
    return (
      <div class="import-progress">
        <p>{s.imports.uploading(name)}</p>
        <progress value={part} max={1} aria-label={s.imports.uploading(name)} />
        <p class="small soft">
          {s.imports.part({ done: sizeOf(part * size), all: sizeOf(size) })}. {s.imports.keepOpen}
        </p>
        <p class="import-buttons">
          <Button onClick={stop}>{s.imports.stopUpload}</Button>
        </p>
      </div>
    )
  }
  if (archive && archive.received === archive.size) {
    return <CompleteArchive archive={archive} onChange={onChange} />
  }
  return <ChooseArchive archive={archive} onChange={onChange} />
}

function CompleteArchive({ archive, onChange }: { readonly archive: Archive } & ArchivePartProps) {
  const { name, size, expires_at } = archive
  const day = new Date(expires_at * 1_000).toLocaleDateString(locale(), { day: 'numeric', month: 'long' })
  return (
    <>
      <p>{s.imports.uploaded({ name, size: sizeOf(size), day })}</p>
      <p class="import-buttons">
        <ActButton kind="main" onAct={() => then(beginImport(archive), onChange)}>
          {s.imports.check}
        </ActButton>
        <DeleteArchive archive={archive} onChange={onChange} />
      </p>
    </>
  )
}

function ChooseArchive({ archive, onChange }: ArchivePartProps) {
  const choose = async (file: File) => {
    uploadRefusal.value = ''
    if (archive && (file.name !== archive.name || file.size !== archive.size))
      return s.imports.otherFile(archive.name)
    await sendArchive(file, archive ?? undefined)
    await onChange()
    return undefined
  }
  return (
    <>
      {archive && (
        <p>
          {s.imports.goOn({
            name: archive.name,
            percent: Math.floor((archive.received / archive.size) * 100),
          })}
        </p>
      )}
      <FileButton kind="main" hint={s.imports.chooseHint} onAct={choose}>
        {s.imports.choose}
      </FileButton>
      <Refusal>{uploadRefusal.value}</Refusal>
      {archive && <DeleteArchive archive={archive} onChange={onChange} />}
    </>
  )
}

function DeleteArchive({ archive, onChange }: { readonly archive: Archive } & ArchivePartProps) {
  return (
    <ActButton
      kind="danger"
      question={{ title: s.imports.deleteArchiveQuestion, text: s.imports.deleteArchiveHint }}
      onAct={() => then(removeArchive(archive), onChange)}
    >
      {s.imports.deleteArchive}
    </ActButton>
  )
}

async function then(action: Promise<void>, onChange: () => Promise<void>): Promise<string | undefined> {
  const refusal = await refusalOf(action)
  if (refusal === undefined) await onChange()
  return refusal
}
