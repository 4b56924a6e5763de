import { and, eq, isNull } from 'drizzle-orm'
import type { Queryable } from '../platform/database/database.ts'
import { appointments } from '../platform/database/schema/appointment-schema.ts'
import { documents } from '../platform/database/schema/money-schema.ts'
import type { BlockedFile } from '../platform/database/schema/privacy-schema.ts'
import { files } from '../platform/database/schema/sheet-schema.ts'
import { keysOf, paperKey } from '../platform/storage/drive.ts'

const endings: Record<string, string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'application/pdf': 'pdf',
  'application/xml': 'xml',
}

/** The pictures of somebody's home and the papers they handed in or were given, those in place: where each lies, and a name of its own. */
export async function ownFiles(db: Queryable, customerId: string): Promise<BlockedFile[]> {
  const pictures = await db
    .select({ file: files, folio: appointments.folio })
    .from(files)
    .innerJoin(appointments, eq(appointments.id, files.appointmentId))
    .where(and(eq(appointments.customerId, customerId), isNull(files.replacedAt)))
    .orderBy(files.capturedAt, files.id)
  const papers = await db
    .select()
    .from(documents)
    .where(and(eq(documents.customerId, customerId), isNull(documents.replacedAt)))
    .orderBy(documents.createdAt, documents.id)
  return [
    ...pictures.map(({ file, folio }, n) => ({
      key: keysOf(file).full,
      name: `fotos/${folio}-${file.slot}-${n + 1}.${endings[file.type]}`,
      type: file.type,
    })),
    ...papers.map(({ id, purpose, type }, n) => ({
      key: paperKey({ id }),
      name: `documentos/${purpose}-${n + 1}.${endings[type]}`,
      type,
    })),
  ]
}
