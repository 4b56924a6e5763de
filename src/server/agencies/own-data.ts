import { desc, eq } from 'drizzle-orm'
import { clientSources, endingInWords } from '../../domain/agencies/clients.ts'
import { benefitFrom, benefitWords } from '../../domain/agencies/codes.ts'
import type { Db } from '../platform/database/client.ts'
import { clients, codes } from '../platform/database/schema/agencies.ts'
import { agencies } from '../platform/database/schema/projects.ts'

/** What we hold of the agencies that brought somebody, for themselves to read. */
export async function ownAgencies(db: Db, customerId: string) {
  const rows = await db
    .select({ client: clients, agency: agencies.name, code: codes })
    .from(clients)
    .innerJoin(agencies, eq(agencies.id, clients.agencyId))
    .leftJoin(codes, eq(codes.id, clients.codeId))
    .where(eq(clients.customerId, customerId))
    .orderBy(desc(clients.joinedAt))
  return rows.map(({ agency, client, code }) => ({
    Concesionaria: agency,
    'Cómo llegaste': clientSources[client.source],
    Código: code?.code ?? null,
    Beneficio: code && benefitWords(benefitFrom({ kind: code.benefitKind, value: code.benefitValue })),
    'Aceptaste que nos diera tus datos': client.consentAt,
    Desde: client.joinedAt,
    'Por qué': client.reason,
    Hasta: client.endedAt,
    'Por qué terminó': client.endedReason && endingInWords(client.endedReason),
  }))
}
