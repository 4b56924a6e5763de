import { data } from 'react-router'
import { CleanFrame } from '../../kit/frame/clean-frame.tsx'
import { Help } from '../../kit/help.tsx'
import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { requestOf } from '../../kit/request.ts'
import { longDate } from '../../shared/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { provenHandover } from '../handover-document.ts'
import type { Route } from './+types/proven.ts'

/** Whether the document of a hand-over is ours, for whoever is shown it: neither whose, nor where, nor by whom. */
export const loader = ({ context, params: { secret } }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    const { db, address, now } = requestOf(context).caller
    const found = await provenHandover(db, { secret, address }, now)
    return data(found, { status: found ? 200 : 404 })
  })

export default function Proven({ loaderData: found }: Route.ComponentProps) {
  return (
    <CleanFrame>
      <Card className="gap-5">
        {found ? (
          <>
            <PageHeader
              title="Documento de entrega"
              subtitle="Lo emitimos nosotros. Compara estos datos con los del papel."
            />
            <p>
              <Badge tone="ok">Válido</Badge>
            </p>
            <DefinitionList
              items={[
                { term: 'Folio', value: found.folio },
                { term: 'Instalado', value: found.done && longDate(found.done) },
                {
                  term: 'Garantía hasta',
                  value: found.warrantyUntil ? longDate(found.warrantyUntil) : 'Sin garantía',
                },
              ]}
            />
          </>
        ) : (
          <>
            <PageHeader
              title="Documento de entrega"
              subtitle="No tenemos un documento con esta dirección. Revisa que esté completa; si así viene en el papel, llámanos."
            />
            <p>
              <Badge tone="bad">No válido</Badge>
            </p>
            <Help about="Hola, quiero comprobar un documento de entrega" />
          </>
        )}
      </Card>
    </CleanFrame>
  )
}
