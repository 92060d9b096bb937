import { AnnotationMode, getDocument, type PDFDocumentLoadingTask, PDFWorker } from 'pdfjs-dist'
import PdfThread from 'pdfjs-dist/build/pdf.worker.min.mjs?worker'

/** The limit in bytes, since the whole file is in memory; larger files are only saved. */
export const MAX_PDF_BYTES = 25 * 1024 * 1024
const MAX_PAGES = 500
/** Limits in pixels: of a drawn page, and of a picture on it. */
const MAX_DRAWN = 8_000_000
const MAX_PICTURE = 16_000_000
/** Width of a page in CSS pixels. */
const WIDTH = 820

export interface OpenPdf {
  readonly pages: number
  /** Whether the file has more pages than are shown. */
  readonly isCut: boolean
  /** @throws when the page cannot be drawn, or the signal was aborted. */
  draw(page: number, canvas: HTMLCanvasElement, signal: AbortSignal): Promise<void>
  close(): void
}

/**
 * Opens an uploaded PDF. A worker without network access parses it (its policy comes with its file, src/http/pages/web-page.ts), and its
 * scripts, forms and links are left out.
 *
 * @throws RangeError when it is larger than `MAX_PDF_BYTES`, and other errors when it cannot be read
 */
export async function openPdf(address: string, signal: AbortSignal): Promise<OpenPdf> {
  const data = await bytesOf(address, signal)
  const thread = new PdfThread()
  const worker = PDFWorker.create({ port: thread, verbosity: 0 })
  const task = getDocument({
    data,
    worker,
    isEvalSupported: false,
    enableXfa: false,
    useWasm: false,
    useWorkerFetch: false,
    useSystemFonts: true,
    maxImageSize: MAX_PICTURE,
    canvasMaxAreaInBytes: MAX_PICTURE * 4,
    verbosity: 0,
  })
  const close = () => closeAll(task, worker, thread)
  signal.addEventListener('abort', close)
  try {
    return await opened(task, close)
  } catch (error) {
    close()
    throw error
  }
}

function closeAll(task: PDFDocumentLoadingTask, worker: PDFWorker, thread: Worker): void {
  task.destroy().catch(() => {})
  worker.destroy()
  // A malicious file may keep the worker busy forever.
  thread.terminate()
}

async function opened(task: PDFDocumentLoadingTask, close: () => void): Promise<OpenPdf> {
  const file = await task.promise
  return {
    pages: Math.min(file.numPages, MAX_PAGES),
    isCut: file.numPages > MAX_PAGES,
    close,
    async draw(number, canvas, signal) {
      const page = await file.getPage(number)
      signal.throwIfAborted()
      const { width, height } = page.getViewport({ scale: 1 })
      const wanted = (WIDTH / width) * devicePixelRatio
      const scale = Math.min(wanted, Math.sqrt(MAX_DRAWN / (width * height)))
      // A page is drawn off screen, so that the previous one stays until the next is ready.
      const drawn = document.createElement('canvas')
      const viewport = page.getViewport({ scale })
      drawn.width = Math.max(1, Math.floor(viewport.width))
      drawn.height = Math.max(1, Math.floor(viewport.height))
      const drawing = page.render({ canvas: drawn, viewport, annotationMode: AnnotationMode.DISABLE })
      signal.addEventListener('abort', () => drawing.cancel())
      await drawing.promise
      page.cleanup()
      canvas.width = drawn.width
      canvas.height = drawn.height
      canvas.style.inlineSize = `${Math.round(drawn.width / devicePixelRatio)}px`
      canvas.getContext('2d')?.drawImage(drawn, 0, 0)
    },
  }
}

async function bytesOf(address: string, signal: AbortSignal): Promise<Uint8Array> {
  const response = await fetch(address, { signal })
  if (!response.ok || !response.body) throw new Error('The file could not be loaded.')
  if (Number(response.headers.get('content-length')) > MAX_PDF_BYTES) {
    await response.body.cancel()
    throw new RangeError('The file is too large.')
  }
  const bytes = new Uint8Array(await response.arrayBuffer())
  if (bytes.length > MAX_PDF_BYTES) throw new RangeError('The file is too large.')
  return bytes
}
