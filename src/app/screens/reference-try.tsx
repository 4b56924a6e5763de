import { type FormEvent, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Details } from '../../ui/card.tsx'
import { Field, TextArea } from '../../ui/field.tsx'
import { useHydrated } from '../../ui/hydrated.ts'
import { CodeBlock, type Operation } from './reference.tsx'

type TryProps = { operation: Operation; held: string; hold: (key: string) => void }

/**
 * Sends an operation from the page, with the fields that the document says, and shows what was answered. The browser asks
 * the interface itself, as a dealership's system does. Without JavaScript the example above
 * is what there is.
 */
export function TryOperation({ operation, held, hold }: TryProps) {
  const [answer, setAnswer] = useState<Answer | null>(null)
  const [isSending, setSending] = useState(false)
  const isReady = useHydrated()
  if (!isReady)
    return (
      <p className="hidden text-mute noscript:block">Para probarla aquí, tu navegador necesita JavaScript.</p>
    )
  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    setSending(true)
    setAnswer(await ask(operation, held, new FormData(event.currentTarget)))
    setSending(false)
  }
  return (
    <Details summary="Probar">
      <form aria-label={`Probar: ${operation.summary}`} onSubmit={send} noValidate className="grid gap-4">
        <Fields operation={operation} held={held} hold={hold} />
        <div>
          <Button type="submit" pending={isSending}>
            Enviar
          </Button>
        </div>
        <div role="status" className="grid gap-4">
          {answer && <Answered {...answer} />}
        </div>
      </form>
    </Details>
  )
}

function Fields({ operation: { body, method, parameters }, held, hold }: TryProps) {
  return (
    <>
      <Field
        label="Tu llave"
        name="key"
        value={held}
        onChange={(event) => hold(event.target.value)}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder="cec_…"
        help={
          method === 'GET'
            ? 'No se guarda: se queda en esta página.'
            : 'Con una de prueba no pasa nada de verdad; con otra, sí. No se guarda: se queda en esta página.'
        }
      />
      {parameters.map(({ name, description = '', required, place, example }) => (
        <Field
          key={name}
          label={name}
          name={`${place} ${name}`}
          optional={!required}
          help={description.replaceAll('`', '')}
          defaultValue={required ? example : ''}
          autoComplete="off"
          spellCheck={false}
        />
      ))}
      {body.example && (
        <TextArea
          label="Cuerpo, en JSON"
          name="body"
          defaultValue={body.example}
          spellCheck={false}
          className="[&_textarea]:font-mono"
        />
      )}
    </>
  )
}

type Answer = { status: string; headers: string; body: string }

const told = ['content-type', 'ratelimit', 'retry-after', 'allow', 'x-request-id']

/** Sends what was typed; where nothing came back, the words say so. */
async function ask({ method, parameters, path }: Operation, key: string, typed: FormData): Promise<Answer> {
  const value = (name: string) => String(typed.get(name) ?? '')
  const query = new URLSearchParams()
  const headers: Record<string, string> = { authorization: `Bearer ${key.trim()}` }
  for (const { name, place } of parameters) {
    const given = value(`${place} ${name}`)
    if (given && place === 'query') query.set(name, given)
    if (given && place === 'header') headers[name] = given
  }
  const address = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(value(`path ${name}`)) || '-')
  const body = typed.has('body') ? value('body') : null
  if (body !== null) headers['content-type'] = 'application/json'
  try {
    const sent = await fetch(`/api/v1${address}${query.size > 0 ? `?${query}` : ''}`, {
      method,
      headers,
      body,
    })
    const text = await sent.text()
    const shown = told.flatMap((name) => (sent.headers.has(name) ? `${name}: ${sent.headers.get(name)}` : []))
    return {
      status: `${sent.status} ${sent.statusText}`.trim(),
      headers: shown.join('\n'),
      body: tidied(text),
    }
  } catch {
    return {
      status: 'No hubo respuesta',
      headers: 'Revisa tu conexión y tu llave, y vuelve a intentar.',
      body: '',
    }
  }
}

function tidied(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

function Answered({ body, headers, status }: Answer) {
  return (
    <>
      <CodeBlock label={`Respuesta: ${status}`}>{headers}</CodeBlock>
      {body && <CodeBlock label="Su cuerpo">{body}</CodeBlock>}
    </>
  )
}
