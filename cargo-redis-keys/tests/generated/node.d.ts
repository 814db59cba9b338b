// What the generated file and its test use of node, for any version of TypeScript.
declare module "node:crypto" {
  export function createHash(name: "sha256"): { update(bytes: Uint8Array): { digest(form: "hex"): string } };
  export function randomInt(below: number): number;
}
declare module "node:buffer" {
  export class Buffer extends Uint8Array {
    static from(bytes: Uint8Array): Buffer;
  }
}
declare module "node:net" {
  export function isIPv4(text: string): boolean;
  export function isIPv6(text: string): boolean;
}
declare module "node:fs" {
  export function readFileSync(file: URL | string, form: "utf8"): string;
}
declare const process: { argv: string[]; exit(status: number): never };
declare const Buffer: {
  from(text: string, form: "hex"): Uint8Array;
  from(bytes: Uint8Array): { toString(form: "hex"): string };
};
interface ImportMeta { url: string }
