import { Mic, Square } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { buttonClass } from '../ui/button.tsx'

type Heard = { isFinal: boolean; 0: { transcript: string } }
/** What browsers offer to turn speech into text; TypeScript's own list leaves it out. */
type Listener = {
  lang: string
  continuous: boolean
  start: () => void
  stop: () => void
  abort: () => void
  onresult: ((event: { resultIndex: number; results: ArrayLike<Heard> }) => void) | null
  onerror: ((event: { error: string }) => void) | null
  onend: (() => void) | null
}
type Listeners = Partial<Record<'SpeechRecognition' | 'webkitSpeechRecognition', new () => Listener>>

const listenerOf = () => {
  const { SpeechRecognition, webkitSpeechRecognition } = window as unknown as Listeners
  return SpeechRecognition ?? webkitSpeechRecognition
}

const problems: Record<string, string> = {
  'not-allowed': 'Esta página no tiene permiso para usar el micrófono.',
  'service-not-allowed': 'Este teléfono no permite dictar aquí.',
  'audio-capture': 'No encontramos el micrófono.',
  network: 'Para dictar hace falta señal. Escríbelo.',
  'no-speech': 'No se oyó nada. Inténtalo otra vez.',
}

type DictateProps = { box: () => HTMLTextAreaElement | null; label: string }

/** A button that writes into a box what is said; nothing where the browser can't. */
export default function Dictate({ box, label }: DictateProps) {
  const listener = useRef<Listener>(null)
  const [isOn, setIsOn] = useState(false)
  const [problem, setProblem] = useState<string>()
  useEffect(() => () => listener.current?.abort(), [])
  const Kind = listenerOf()
  if (!Kind) return null
  const begin = () => {
    const made = Object.assign(new Kind(), { lang: 'es-MX', continuous: true })
    made.onresult = ({ resultIndex, results }) => {
      for (const { isFinal, 0: best } of Array.from(results).slice(resultIndex))
        if (isFinal) write(box(), best.transcript)
    }
    made.onerror = ({ error }) => setProblem(problems[error])
    made.onend = () => setIsOn(false)
    listener.current = made
    setProblem(undefined)
    setIsOn(true)
    made.start()
  }
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <button
        type="button"
        aria-pressed={isOn}
        className={buttonClass('ghost', 'px-3')}
        onClick={isOn ? () => listener.current?.stop() : begin}
      >
        {isOn ? (
          <Square aria-hidden className="size-5 text-bad" />
        ) : (
          <Mic aria-hidden className="size-5 text-brand" />
        )}
        <span>
          {isOn ? 'Detener' : 'Dictar'}
          <span className="sr-only">: {label}</span>
        </span>
      </button>
      <p role="status" className="text-sm text-mute">
        {isOn ? 'Te escucho…' : problem}
      </p>
    </div>
  )
}

/** Adds what was said behind what is there, as far as it fits; the box's own listeners hear of it. */
function write(box: HTMLTextAreaElement | null, said: string) {
  if (!box) return
  const words = [box.value.trimEnd(), said.trim()].filter(Boolean).join(' ')
  box.value = box.maxLength >= 0 ? words.slice(0, box.maxLength) : words
  box.dispatchEvent(new Event('input', { bubbles: true }))
}
