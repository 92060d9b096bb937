import { type Signal, signal } from '@preact/signals'
import { useLayoutEffect, useState } from 'preact/hooks'
import { api } from '../../actions/call.ts'
import { uploadFile } from '../../api/uploads.ts'
import { hrefOfConversation } from '../../navigation.ts'
import { c } from '../../texts/compose.ts'
import { hasFiles } from '../../ui/drops.ts'
import { announce, attempt } from '../announcement.tsx'
import { conversationName } from '../words.ts'
import { fileTaker, type Place } from './compose-state.ts'

/** A file that is being uploaded, with its progress from 0 to 1. */
export interface Upload {
  readonly name: string
  readonly part: number
  readonly stop: AbortController
  /** The view to whose text it belongs; undefined in an edited message. */
  readonly place: Place | undefined
}

/** The uploads for the texts in the box. */
export const uploads = signal<readonly Upload[]>([])

/** Uploads files, and adds each to a text when it has arrived: the one now in the box, unless another is given. */
export function attach(files: Iterable<File>, { place, take } = fileTaker()): void {
  let before: Promise<void> | undefined
  for (const file of files) {
    const onDone = (markdown: string) => {
      const where = take(markdown)
      if (!where) return
      announce(
        c.addedToDraft({ name: file.name, where: conversationName(where) }),
        undefined,
        hrefOfConversation(where),
      )
    }
    before = upload(file, uploads, onDone, { place, before })
  }
}

/** Uploads a file, and passes its link on once the upload `before` it, of a file that comes first, is over. The list shows it meanwhile. */
export async function upload(
  file: File,
  list: Signal<readonly Upload[]>,
  onDone: (markdown: string) => void,
  { place, before }: { readonly place?: Place; readonly before?: Promise<void> | undefined } = {},
): Promise<void> {
  const stop = new AbortController()
  list.value = [...list.value, { name: file.name, part: 0, stop, place }]
  const show = (part: number) => {
    list.value = list.value.map((one) => (one.stop === stop ? { ...one, part } : one))
  }
  const done = await attempt(
    uploadFile(api, file, { endpoint: '/json/tus/', signal: stop.signal, onProgress: show }).catch(
      (error) => {
        if (stop.signal.aborted) return undefined
        throw error
      },
    ),
  )
  await before
  list.value = list.value.filter((one) => one.stop !== stop)
  if (!done || stop.signal.aborted) return
  const link = `[${done.filename.replaceAll(/[[\]]/g, '')}](${done.url})`
  // Audio files of these types get a player only in this form.
  onDone(/\.(?:aac|flac|mp3|mpeg|wav)$/i.test(done.url) ? `!${link}` : link)
}

/** Attaches files that are dropped anywhere in the view. Returns whether some are being held over it. */
export function useDrops(): boolean {
  const [isHeld, setHeld] = useState(false)
  useLayoutEffect(() => {
    const view = document.getElementById('middle')
    if (!view) return undefined
    const takes = (event: DragEvent) =>
      hasFiles(event) && !(event.target instanceof Element && event.target.closest('dialog, [popover]'))
    const hold = (event: DragEvent) => {
      if (!takes(event)) return
      event.preventDefault()
      setHeld(true)
    }
    const leave = ({ relatedTarget }: DragEvent) => {
      if (!(relatedTarget instanceof Node && view.contains(relatedTarget))) setHeld(false)
    }
    const drop = (event: DragEvent) => {
      setHeld(false)
      if (!takes(event)) return
      event.preventDefault()
      attach(event.dataTransfer?.files ?? [])
    }
    view.addEventListener('dragover', hold)
    view.addEventListener('dragleave', leave)
    view.addEventListener('drop', drop)
    return () => {
      view.removeEventListener('dragover', hold)
      view.removeEventListener('dragleave', leave)
      view.removeEventListener('drop', drop)
    }
  }, [])
  return isHeld
}
