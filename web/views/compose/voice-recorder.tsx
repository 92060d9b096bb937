import './voice-recorder.css'
import { useEffect, useRef, useState } from 'preact/hooks'
import { wavOf } from '../../state/wav.ts'
import { c } from '../../texts/compose.ts'
import { minutesAndSeconds } from '../../ui/audio-player.tsx'
import { Button, IconButton } from '../../ui/button.tsx'

interface VoiceRecorderProps {
  /** Called with the recording, also when the user leaves the view without discarding it. */
  readonly onDone: (file: File) => void
  readonly onClose: () => void
}

/** Seconds, which are 19 MB. */
const MOST_SECONDS = 600
/** The sample rate in hertz; speech needs no frequencies above half of it. */
const RATE = 16_000

/** Records a voice message, from the moment when it is shown until it is stopped or the view is left. */
export function VoiceRecorder({ onDone, onClose }: VoiceRecorderProps) {
  const [seconds, setSeconds] = useState(0)
  const [hasFailed, setFailed] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const recorder = useRef<MediaRecorder>(undefined)
  const stop = useRef<() => void>(undefined)
  const isDiscarded = useRef(false)
  useEffect(() => {
    let isGone = false
    let stream: MediaStream | undefined
    const chunks: Blob[] = []
    const begin = async () => {
      stream = await navigator.mediaDevices.getUserMedia({ audio: true })
      if (isGone) return end()
      const recording = new MediaRecorder(stream)
      recorder.current = recording
      recording.addEventListener('dataavailable', ({ data }) => chunks.push(data))
      recording.addEventListener('start', () => setSeconds(0))
      recording.start(1_000)
    }
    const end = () => {
      for (const track of stream?.getTracks() ?? []) track.stop()
    }
    stop.current = () => {
      const recording = recorder.current
      if (recording?.state !== 'recording') return
      setBusy(true)
      recording.addEventListener('stop', () => {
        end()
        fileOf(new Blob(chunks, { type: recording.mimeType })).then(
          (file) => {
            onDone(file)
            if (!isGone) onClose()
          },
          () => setFailed(true),
        )
      })
      recording.stop()
    }
    begin().catch(() => setFailed(true))
    return () => {
      isGone = true
      if (!isDiscarded.current) stop.current?.()
      end()
    }
  }, [])
  useEffect(() => {
    const timer = setInterval(() => {
      if (recorder.current?.state === 'recording') setSeconds((now) => now + 1)
    }, 1_000)
    return () => clearInterval(timer)
  }, [])
  useEffect(() => {
    if (seconds >= MOST_SECONDS) stop.current?.()
  }, [seconds])
  return (
    // biome-ignore lint/a11y/useSemanticElements: it groups no fields of a form
    <div class="voice-recorder" role="group" aria-label={c.voice}>
      {hasFailed ? (
        <p class="refusal" role="alert">
          {c.noMicrophone}
        </p>
      ) : (
        <>
          <span class="voice-mark" aria-hidden="true" />
          <span role="status">{c.recording}</span>
          <span class="voice-time">{minutesAndSeconds(seconds)}</span>
          <Button kind="main" disabled={isBusy} onClick={() => stop.current?.()}>
            {c.stopRecording}
          </Button>
        </>
      )}
      <IconButton
        icon="close"
        label={c.discardRecording}
        onClick={() => {
          isDiscarded.current = true
          onClose()
        }}
      />
    </div>
  )
}

/** Returns a recording in the one form that every browser plays, and that messages show a player for. */
async function fileOf(recorded: Blob): Promise<File> {
  // Decoding gives it the rate of the context.
  const context = new OfflineAudioContext(1, 1, RATE)
  const buffer = await context.decodeAudioData(await recorded.arrayBuffer())
  const samples = new Float32Array(buffer.length)
  for (let channel = 0; channel < buffer.numberOfChannels; channel += 1) {
    const data = buffer.getChannelData(channel)
    for (let at = 0; at < samples.length; at += 1) {
      samples[at] = samples[at]! + data[at]! / buffer.numberOfChannels
    }
  }
  const name = `${c.voiceFile.toLowerCase().replaceAll(' ', '-')}-${new Date().toISOString().slice(0, 16).replaceAll(/[T:]/g, '-')}.wav`
  return new File([wavOf(samples, RATE)], name, { type: 'audio/wav' })
}
