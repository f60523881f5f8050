/** Where the link of a message leads. Pure. */
import type { PrincipalId } from '../../domain/values.ts';
import type { OpenedLinks } from '../../workspace/rpc.ts';
import { DECISION_LINK_MS, linkAddress, signDecision } from './links.ts';
import { type Happening, placeOf } from './message.ts';

/** Of what is asked: whoever asks for the same again asks for something else. */
export const askedOf = (key: string, sha256: (text: string) => string): string => sha256(key).slice(0, 32);

/** Who alone is asked, where it is one person. `person:admin` and `person:reviewer` are whoever is one. */
export function namedPerson(who: PrincipalId | undefined): PrincipalId | undefined {
  return who?.startsWith('person:') && who !== 'person:admin' && who !== 'person:reviewer' ? who : undefined;
}

interface From {
  workspace: string;
  origin: string;
  links: OpenedLinks | null;
  sha256(text: string): string;
}

/** A signed link to the decision for `person`; of what asks for nothing the progress page, where one is given out; else the place in the console. `delivery`: tells links of the same decision apart. */
export function addressOf({ workspace, origin, links, sha256 }: From, happening: Happening, person: PrincipalId | undefined, delivery: string): string {
  const { goal, ref, key, at } = happening;
  if (links && ref !== undefined && person !== undefined) {
    const link = { goal, ref, asked: askedOf(key, sha256), person, expiresAt: at + DECISION_LINK_MS, id: sha256(JSON.stringify([delivery, person])).slice(0, 32) };
    return linkAddress(origin, 'link', workspace, signDecision(links.key, workspace, link));
  }
  const shown = ref === undefined ? links?.progress[goal] : undefined;
  return shown === undefined ? placeOf(origin, happening) : linkAddress(origin, 'progress', workspace, shown);
}
