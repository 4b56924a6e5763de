import { CodeBlock, WithCode } from './code-block.tsx'
import { FieldList } from './field-list.tsx'
import type { Reference } from './reference.ts'

const withLibrary = `import { Webhook } from 'standardwebhooks'

const avisos = new Webhook(process.env.SECRETO) // whsec_…

app.post('/avisos', express.raw({ type: '*/*' }), (req, res) => {
  const aviso = avisos.verify(req.body, req.headers) // lanza un error si no es nuestro
  res.sendStatus(204)
})`

const byHand = `import { createHmac, timingSafeEqual } from 'node:crypto'

function esNuestro(cuerpo, encabezados, secreto) {
  const id = encabezados['webhook-id']
  const momento = encabezados['webhook-timestamp']
  if (Math.abs(Date.now() / 1000 - Number(momento)) > 300) return false
  const llave = Buffer.from(secreto.replace('whsec_', ''), 'base64')
  const firma = createHmac('sha256', llave).update(\`\${id}.\${momento}.\${cuerpo}\`).digest()
  return encabezados['webhook-signature'].split(' ').some((parte) => {
    const dada = Buffer.from(parte.split(',')[1] ?? '', 'base64')
    return dada.length === firma.length && timingSafeEqual(dada, firma)
  })
}`

/** What is posted to a dealership's own server, and how it knows that it comes from us. */
export function WebhookCard({ webhook }: { webhook: Reference['webhooks'][number] }) {
  const { name, description, parameters, fields, example } = webhook
  return (
    <section id="webhooks" aria-labelledby="webhooks-title" className="grid scroll-mt-4 gap-4">
      <h2 id="webhooks-title" className="text-xl font-semibold">
        Recibir avisos
      </h2>
      <p>
        <code className="rounded bg-hover px-1 py-0.5 text-[0.875em]">{name}</code>: un cliente cambió de
        etapa. <WithCode>{description}</WithCode> La gerencia agrega la dirección de tu servidor y te da su
        secreto.
      </p>
      <ul className="grid list-disc gap-1.5 pl-5">
        <li>
          Si no contestas 2xx, lo intentamos ocho veces en cerca de un día, cada vez con más espera. Después
          puedes pedirlo de nuevo.
        </li>
        <li>Un aviso puede llegar dos veces: recuerda su webhook-id.</li>
        <li>
          Pueden llegar en otro orden: compara timestamp, o pregunta por el cliente, que siempre dice cómo
          está ahora.
        </li>
      </ul>
      <CodeBlock label="El cuerpo">{example}</CodeBlock>
      <FieldList title="Encabezados" fields={parameters} />
      <FieldList title="Campos" fields={fields} />
      <CodeBlock label="Comprobar la firma, con la biblioteca standardwebhooks">{withLibrary}</CodeBlock>
      <CodeBlock label="Lo mismo sin biblioteca; el cuerpo, tal como llegó">{byHand}</CodeBlock>
    </section>
  )
}
