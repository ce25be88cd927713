// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Embed.h"
#include "gs_descriptor.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#include <memory>

using namespace gpusafe;
using llvm::Constant;
using llvm::Function;
using llvm::GlobalValue;
using llvm::GlobalVariable;
using llvm::Module;
using llvm::StringRef;

using Contracts = std::vector<EmbeddedContract>;

// ------------------------------------------------------------------- passes ----

namespace {
/// Runs before all optimisations, at every level.
class EmbedPass : public llvm::PassInfoMixin<EmbedPass> {
public:
  using Embedder = void (*)(Module &, const Contracts &);
  EmbedPass(Embedder Embed, std::shared_ptr<const Contracts> What)
      : Embed(Embed), What(std::move(What)) {}
  llvm::PreservedAnalyses run(Module &M, llvm::ModuleAnalysisManager &) {
    Embed(M, *What);
    return llvm::PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }

private:
  Embedder Embed;
  std::shared_ptr<const Contracts> What;
};
} // namespace

/// Where clang runs no passes (-save-temps makes bitcode first), the module is reached when
/// the writer of the bitcode is about to run.
static void runBeforeWriter(llvm::PassBuilder &Builder, EmbedPass::Embedder Embed,
                            std::shared_ptr<const Contracts> What) {
  auto Done = std::make_shared<bool>(false);
  Builder.getPassInstrumentationCallbacks()->registerBeforeNonSkippedPassCallback(
      [=](StringRef, llvm::Any Unit) {
        const auto *M = llvm::any_cast<const Module *>(&Unit);
        if (!M || *Done)
          return;
        *Done = true;
        Embed(const_cast<Module &>(**M), *What);
      });
}

static void addPass(clang::CodeGenOptions &Options, EmbedPass::Embedder Embed, Contracts What) {
  auto Shared = std::make_shared<const Contracts>(std::move(What));
  bool NoPasses = Options.DisableLLVMPasses;
  Options.PassBuilderCallbacks.push_back([=](llvm::PassBuilder &Builder) {
    if (NoPasses)
      return runBeforeWriter(Builder, Embed, Shared);
    Builder.registerPipelineStartEPCallback(
        [=](llvm::ModulePassManager &Passes, llvm::OptimizationLevel) {
          Passes.addPass(EmbedPass(Embed, Shared));
        });
  });
}

static GlobalVariable *addConstant(Module &M, Constant *Value, unsigned Align,
                                   GlobalValue::LinkageTypes Linkage, const llvm::Twine &Name,
                                   unsigned AddressSpace = 0) {
  auto *Variable =
      new GlobalVariable(M, Value->getType(), /*isConstant=*/true, Linkage, Value, Name,
                         /*InsertBefore=*/nullptr, GlobalValue::NotThreadLocal, AddressSpace);
  Variable->setAlignment(llvm::Align(Align));
  // Red zones between the elements of the section would be taken for elements.
  GlobalValue::SanitizerMetadata Plain;
  Plain.NoAddress = Plain.NoHWAddress = true;
  Variable->setSanitizerMetadata(Plain);
  return Variable;
}

static Constant *bytesOf(Module &M, StringRef Bytes) {
  return llvm::ConstantDataArray::getString(M.getContext(), Bytes, /*AddNull=*/false);
}

// --------------------------------------------------------------------- host ----

/// A gs_descriptor_entry. It shares the stub's comdat, so that of a template in several
/// units the linker keeps one entry, with the stub; and it is marked as used, which keeps
/// it through --gc-sections.
static void addEntry(Module &M, Function &Stub, StringRef Bytes) {
  GlobalVariable *Block = addConstant(M, bytesOf(M, Bytes), 4, GlobalValue::PrivateLinkage,
                                      "gpusafe_contract." + Stub.getName());
  auto *Size = llvm::ConstantInt::get(M.getDataLayout().getIntPtrType(M.getContext()), Bytes.size());
  Constant *Fields = llvm::ConstantStruct::getAnon({&Stub, Block, Size});
  GlobalVariable *Entry = addConstant(M, Fields, 8, GlobalValue::InternalLinkage,
                                      "gpusafe_entry." + Stub.getName());
  Entry->setSection(GS_DESCRIPTOR_SECTION);
  if (llvm::Comdat *Group = Stub.getComdat()) {
    Block->setComdat(Group);
    Entry->setComdat(Group);
  }
  llvm::appendToUsed(M, {Entry});
}

/// What launches, or hands out what is launched; in libgpusafe_cuda.a the same with gsrt_
/// in front.
static const StringRef Hooked[] = {
    "cudaLaunchKernel",    "cudaLaunchKernel_ptsz",    "cudaLaunchCooperativeKernel",
    "cudaLaunchKernelExC", "cudaLaunchKernelExC_ptsz", "cudaLaunchCooperativeKernel_ptsz",
    "cudaGetKernel"};

/// Function pointers are taken along: whoever calls them launches as well.
static void redirectLaunches(Module &M) {
  for (StringRef Name : Hooked) {
    Function *Real = M.getFunction(Name);
    if (!Real || !Real->isDeclaration())
      continue;
    std::string HookName = ("gsrt_" + Name).str();
    Function *Hook = M.getFunction(HookName);
    if (!Hook) {
      Hook = Function::Create(Real->getFunctionType(), Real->getLinkage(), HookName, M);
      Hook->copyAttributesFrom(Real);
    }
    Real->replaceAllUsesWith(Hook);
    Real->eraseFromParent();
  }
}

/// Ties the object to the archive: an image that is linked without it could neither
/// register its kernels nor launch, and the linker's message about it names what to link.
static void requireLibrary(Module &M) {
  const char *Name = "gpusafe_link_libgpusafe_cuda_and_libgpusafe_rt";
  llvm::Type *Byte = llvm::Type::getInt8Ty(M.getContext());
  auto *Anchor = new GlobalVariable(M, Byte, /*isConstant=*/true, GlobalValue::ExternalLinkage,
                                    nullptr, Name);
  Anchor->setVisibility(GlobalValue::HiddenVisibility); // each image has its own
  GlobalVariable *Need = addConstant(M, Anchor, 8, GlobalValue::PrivateLinkage, "gpusafe_need");
  llvm::appendToUsed(M, {Need});
}

static void embedHost(Module &M, const Contracts &What) {
  bool Any = false;
  for (const EmbeddedContract &Contract : What) {
    Function *Stub = M.getFunction(Contract.Symbol);
    if (!Stub)
      continue;
    Any = true;
    if (!Stub->isDeclarationForLinker() && !Contract.Bytes.empty())
      addEntry(M, *Stub, Contract.Bytes);
  }
  if (!Any)
    return;
  redirectLaunches(M);
  requireLibrary(M);
}

void gpusafe::embedInHost(clang::CodeGenOptions &Options, Contracts What) {
  addPass(Options, embedHost, std::move(What));
}

// ------------------------------------------------------------------- device ----

/// A smaller bound than there is already.
static void boundThreads(Function &Kernel, uint32_t Threads) {
  constexpr char Name[] = "nvvm.maxntid";
  unsigned Product = 1, Size;
  llvm::SmallVector<StringRef, 3> Old;
  if (Kernel.hasFnAttribute(Name))
    Kernel.getFnAttribute(Name).getValueAsString().split(Old, ',');
  for (StringRef Part : Old)
    Product = Part.trim().getAsInteger(10, Size) ? 0 : Product * Size;
  if (Old.empty() || Product > Threads)
    Kernel.addFnAttr(Name, std::to_string(Threads));
}

static void useContract(Function &Kernel, const EmbeddedContract &Contract) {
  const uint32_t *Block = Contract.Sizes.block;
  if (Block[0])
    Kernel.addFnAttr("nvvm.reqntid", std::to_string(Block[0]) + "," + std::to_string(Block[1]) +
                                         "," + std::to_string(Block[2]));
  else if (Contract.Sizes.max_threads)
    boundThreads(Kernel, Contract.Sizes.max_threads);
  for (llvm::Argument &Arg : Kernel.args())
    if (Contract.NoAlias && Arg.getType()->isPointerTy() && !Arg.hasByValAttr())
      Arg.addAttr(llvm::Attribute::NoAlias);
}

static void embedDevice(Module &M, const Contracts &What) {
  constexpr unsigned Global = 1; // address space: constant memory is small
  for (const EmbeddedContract &Contract : What) {
    Function *Kernel = M.getFunction(Contract.Symbol);
    if (!Kernel || Kernel->isDeclarationForLinker())
      continue;
    GlobalValue::LinkageTypes Linkage = Kernel->isWeakForLinker() ? GlobalValue::WeakODRLinkage
                                                                  : GlobalValue::ExternalLinkage;
    GlobalVariable *Block = addConstant(M, bytesOf(M, Contract.Bytes), 4, Linkage,
                                        GS_DESCRIPTOR_PREFIX + Contract.Symbol, Global);
    llvm::appendToUsed(M, {Block});
    useContract(*Kernel, Contract);
  }
}

void gpusafe::embedInDevice(clang::CodeGenOptions &Options, Contracts What) {
  addPass(Options, embedDevice, std::move(What));
}
