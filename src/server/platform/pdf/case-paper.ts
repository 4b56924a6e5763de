import { type CaseKind, caseKindLabels } from '../../../domain/cfe/case.ts'
import { casePaperFacts, needsFeasibility } from '../../../domain/cfe/papers.ts'
import { addressLine } from '../../../domain/projects/address.ts'
import { fullName, longDate } from '../../../domain/shared/format.ts'
import { municipalityLabel } from '../../../domain/shared/places.ts'
import type { SeenCase } from '../../cfe/queries.ts'
import { neededBy } from '../../cfe/rows.ts'
import type { LetterPaper } from './paper.ts'

/** What is written by hand where nothing is known. */
const blank = '______________________________'

const asked: Record<CaseKind, string> = {
  second_meter: 'la contratación de un segundo medidor en el mismo domicilio',
  load_increase: 'el aumento de la carga contratada del servicio',
  new_service: 'la contratación de un servicio nuevo',
  name_change: 'el cambio de nombre del titular del servicio',
}

const customerOf = ({ customer }: SeenCase) => fullName(customer)
const holderOf = (seen: SeenCase) => seen.row.holderName ?? customerOf(seen)
const placeOf = ({ address }: SeenCase) => (address ? addressLine(address) : blank)

const head = ({ address, row }: SeenCase, brand: string, now: Date) => ({
  ...{ kind: 'letter' as const, brand },
  subtitle: `${address ? municipalityLabel(address.municipality) : blank}, a ${longDate(now)}`,
  addressee: ['Comisión Federal de Electricidad', 'CFE Suministrador de Servicios Básicos', 'Presente'],
  folio: row.folio,
})

/** The letter in which the holder asks CFE for what a case is about, with what goes with it. */
export function writeRequest(seen: SeenCase, brand: string, now: Date): LetterPaper {
  const { row } = seen
  const builds = row.kind !== 'name_change'
  return {
    ...head(seen, brand, now),
    title: `Solicitud: ${caseKindLabels[row.kind].toLowerCase()}`,
    paragraphs: [
      `Quien suscribe, ${holderOf(seen)}, solicita ${asked[row.kind]} en el domicilio ubicado en ${placeOf(seen)}.`,
      ...(builds
        ? [
            `El servicio alimentará un cargador de vehículo eléctrico de ${row.chargerKilowatts ?? '______'} kW de uso particular.`,
          ]
        : [`El servicio queda a nombre de ${customerOf(seen)}.`]),
      ...(builds && needsFeasibility(row)
        ? [
            `Se pide además el estudio de factibilidad, pues ${row.isThreePhase ? 'el suministro es trifásico' : `el poste más cercano está a ${row.poleMetres} m del medidor`}.`,
          ]
        : []),
    ],
    facts: [
      { label: 'Titular', value: holderOf(seen) },
      { label: 'Domicilio', value: placeOf(seen) },
      { label: 'Número de servicio', value: row.serviceNumber ?? blank },
      { label: 'Número de medidor', value: row.meterNumber ?? blank },
      ...(builds
        ? [
            { label: 'Suministro', value: row.isThreePhase ? 'Trifásico 220 V' : 'Monofásico o bifásico' },
            {
              label: 'Distancia del poste al medidor',
              value: row.poleMetres === null ? blank : `${row.poleMetres} m`,
            },
          ]
        : []),
    ],
    enclosed: neededBy(row).map((name) => casePaperFacts[name].label),
    signatures: [
      { name: holderOf(seen), as: 'Firma del titular' },
      ...(seen.gester ? [{ name: seen.gester, as: 'Quien entrega' }] : []),
    ],
  }
}

/** The letter by which the holder lets somebody else act before CFE, before two witnesses. */
export function writePower(seen: SeenCase, brand: string, now: Date): LetterPaper {
  const { gester, row } = seen
  const holder = holderOf(seen)
  const proxy = row.holderName ? customerOf(seen) : (gester ?? blank)
  const also = row.holderName && gester ? ` y a ${gester}, juntos o por separado,` : ''
  return {
    ...head(seen, brand, now),
    title: 'Carta poder',
    paragraphs: [
      `Yo, ${holder}, otorgo a ${proxy}${also} poder amplio, cumplido y bastante para que, en mi nombre y representación, haga ante la Comisión Federal de Electricidad el trámite de ${caseKindLabels[row.kind].toLowerCase()} del servicio ${row.serviceNumber ?? blank}, en el domicilio ubicado en ${placeOf(seen)}.`,
      'Puede entregar y recibir documentos, atender lo que CFE observe y dar seguimiento al trámite hasta que concluya. No puede recibir dinero en mi nombre.',
    ],
    facts: [],
    enclosed: ['Copia de la identificación oficial de quien otorga y de quien acepta el poder'],
    signatures: [
      { name: holder, as: 'Otorga el poder' },
      { name: proxy, as: 'Acepta el poder' },
      { name: blank, as: 'Primer testigo' },
      { name: blank, as: 'Segundo testigo' },
    ],
  }
}
