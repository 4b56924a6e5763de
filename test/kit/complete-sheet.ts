import type { Answers, SheetKind } from '../../src/domain/reports/report.ts'

/** A sheet of each kind to which nothing is missing but its pictures: 32 A at 22.5 m on a 100 A house. */
export const completeAnswers = {
  visit: {
    dwelling: 'house',
    tenure: 'owner',
    area: 100,
    supply: 'two',
    meterNumber: '12AB34',
    cfeServiceNumber: '123456789012',
    tariff: '1C',
    contractedKilowatts: 22,
    meterAtLimit: true,
    poleDistance: 18.5,
    panelBrand: 'Square D',
    mainBreaker: 100,
    feederGauge: '2',
    feederMetres: 12,
    sparePoles: 4,
    voltsL1N: 126.4,
    voltsL2N: 127.1,
    voltsL1L2: 219.8,
    voltsNG: 0.6,
    groundOk: true,
    loads: [
      { name: 'Aire acondicionado', watts: 1800, quantity: 2, kind: 'cooling' },
      { name: 'Bomba', watts: 750, quantity: 1, kind: 'other' },
    ],
    chargerDistance: 22.5,
    route: 'visible',
    walls: 'block,concrete',
    obstacles: null,
    vehicle: 'BYD Dolphin 2026',
    chargerSupplier: 'ours',
    chargerBrand: 'Wallbox',
    chargerModel: null,
    chargerSupply: 'two',
    chargerKilowatts: 7,
    chargerAmps: 32,
    meterChoice: 'same',
    terminals75: false,
    conductor: '8',
    loadIncrease: false,
    needsUvie: false,
    needsPermit: false,
    materials: '25 m de cable 8 AWG, tubería de 3/4, interruptor de 40 A',
    hours: 4,
    feasibility: 'viable',
    feasibilityReason: null,
    notes: null,
    customerName: 'Quien recibe',
  },
  installation: {
    powerCut: true,
    lockedOut: true,
    protectiveEquipment: true,
    extinguisher: true,
    adultPresent: true,
    metres: 23.5,
    conductor: '8',
    breaker: 40,
    groundGauge: '10',
    conduitSize: '16',
    chargerBrand: 'Wallbox',
    chargerModel: 'Pulsar',
    chargerSerial: 'WB-000123',
    chargerSet: 32,
    testVolts: 219.5,
    testVoltsNG: 0.4,
    insulation: 200,
    groundOhms: 8.5,
    gfciOk: true,
    loadTestMinutes: 20,
    notes: null,
    taughtUse: true,
    taughtBreaker: true,
    taughtFaults: true,
    taughtWarranty: true,
    customerName: 'Quien recibe',
  },
} as const satisfies Record<SheetKind, Answers>

/** A usual house: what a technician finds there. */
export const usualFindings: Record<SheetKind, Answers> = {
  visit: {
    ...completeAnswers.visit,
    loads: ['Refrigerador', 'Lavadora', 'Bomba'].map((name) => ({
      name,
      watts: 500,
      quantity: 1,
      kind: 'other',
    })),
    chargerAmps: null,
    tariff: '1',
  },
  installation: { ...completeAnswers.installation, metres: 12 },
}

/** What is otherwise there than it is proposed. */
export const unlikeProposed: readonly string[] = ['contractedKilowatts']

/** The most presses that a usual report may take, without its photos. */
export const mostTaps = 45
