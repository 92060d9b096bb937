import './audio-player.css'
import { Pause, Play } from 'lucide'
import { useEffect, useRef, useState } from 'preact/hooks'
import { c } from '../texts/compose.ts'
import { IconButton } from './button.tsx'

export { loadComposeTexts } from '../texts/compose.ts'

interface AudioPlayerProps {
  readonly src: string
  readonly name: string
}

const SPEEDS = [1, 1.5, 2, 0.75] as const

/** An audio player: play, position, time and speed. One plays at a time. */
export function AudioPlayer({ src, name }: AudioPlayerProps) {
  const audio = useRef<HTMLAudioElement>(null)
  const [isPlaying, setPlaying] = useState(false)
  const [at, setAt] = useState(0)
  const [duration, setDuration] = useState(0)
  const [speed, setSpeed] = useState(0)
  const rate = SPEEDS[speed]!
  useEffect(() => {
    if (audio.current) audio.current.playbackRate = rate
  }, [rate])
  const measure = ({ currentTarget }: { currentTarget: HTMLAudioElement }) => {
    if (Number.isFinite(currentTarget.duration)) setDuration(currentTarget.duration)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: it groups no fields of a form
    <div class="audio-player" role="group" aria-label={name}>
      {/* biome-ignore lint/a11y/useMediaCaption: nobody has written down what is said */}
      <audio
        ref={audio}
        src={src}
        preload="metadata"
        onLoadedMetadata={measure}
        onDurationChange={measure}
        onPlay={({ currentTarget }) => {
          setPlaying(true)
          for (const other of document.querySelectorAll('audio')) if (other !== currentTarget) other.pause()
        }}
        onPause={() => setPlaying(false)}
        onTimeUpdate={(event) => setAt(event.currentTarget.currentTime)}
      />
      <IconButton
        icon={isPlaying ? Pause : Play}
        label={isPlaying ? c.player.pause : c.player.play}
        onClick={() => {
          if (isPlaying) audio.current?.pause()
          else void audio.current?.play().catch(() => setPlaying(false))
        }}
      />
      <input
        type="range"
        min={0}
        max={duration || 1}
        step={0.1}
        value={at}
        aria-label={c.player.position}
        aria-valuetext={`${minutesAndSeconds(at)} / ${minutesAndSeconds(duration)}`}
        onInput={(event) => {
          const next = Number(event.currentTarget.value)
          setAt(next)
          if (audio.current) audio.current.currentTime = next
        }}
      />
      <span class="audio-time">
        {minutesAndSeconds(at)} / {minutesAndSeconds(duration)}
      </span>
      <button
        type="button"
        class="audio-speed"
        aria-label={c.player.speed(rate)}
        onClick={() => setSpeed((speed + 1) % SPEEDS.length)}
      >
        {rate}×
      </button>
    </div>
  )
}

/** Returns seconds as `1:05`. */
export function minutesAndSeconds(seconds: number): string {
  const whole = Math.floor(seconds)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}
